import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import type { InternalId } from '../../domain/ids.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import { ConflictsService } from '../conflicts/conflicts.service.js';
import { DeliveriesService, type Wish } from '../delivery/deliveries.service.js';
import { EntitiesService } from '../entities/entities.service.js';
import { IdMapService } from '../id-map/id-map.service.js';
import { TraceService } from '../trace/trace.service.js';
import { WorkService } from '../work/work.service.js';
import { decideEvent, keyConflict, type Effect } from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';
import { traceOf } from './trace-of.js';

/**
 * The heart of the journey: claimed events become effects. Everything that a batch changes commits in one transaction
 * together with the end of its work rows, under the fences of their claims: either all of it happened, once, or
 * nothing did.
 */
@Injectable()
export class ProcessEvent {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly idMap: IdMapService,
    private readonly entities: EntitiesService,
    private readonly conflicts: ConflictsService,
    private readonly deliveries: DeliveriesService,
    private readonly work: WorkService,
    private readonly trace: TraceService,
  ) {}

  /**
   * Resolve, decide, apply; in this order of locks: mappings, entities, records, deliveries, work.
   *
   * @returns the effects, and the alarms to set now that the transaction has committed
   * @throws LeaseLost when another worker took over one of the claims, and whatever the database reports; nothing has
   *   happened then
   */
  process(events: readonly EventToProcess[]): Promise<Processed> {
    return this.database.transaction(async (tx) => {
      const effects = await this.resolveAndDecide(tx, events);
      const alarms = await this.deliveries.want(tx, effects.flatMap(wishesOf));
      await this.conflicts.record(
        tx,
        effects.flatMap(({ conflict }) => conflict ?? []),
      );
      await this.work.finish(
        tx,
        'event',
        events.map(({ claim }) => claim),
      );
      await this.trace.write(tx, effects.map(traceOf));
      return { effects, alarms };
    });
  }

  private async resolveAndDecide(tx: Tx, events: readonly EventToProcess[]): Promise<readonly Effect[]> {
    const toApply = events.filter((event) => event.conflictsWith === undefined);
    const identities = await this.idMap.resolve(
      tx,
      toApply.map(({ entity }) => entity),
    );
    const wanted = new Map(
      toApply.map(({ entity }): [InternalId, string] => [identities.internalIdOf(entity), entity.type]),
    );
    const held = await this.entities.hold(tx, wanted);
    const effects = events.map((event) => {
      if (event.conflictsWith !== undefined) return keyConflict(event, event.conflictsWith);
      const entity = held.get(identities.internalIdOf(event.entity));
      if (entity === undefined) throw new Error('An entity was resolved but is not held.');
      return decideEvent(event, entity, this.contract);
    });
    await this.entities.save(tx, held.values());
    return effects;
  }
}

export interface Processed {
  readonly effects: readonly Effect[];
  readonly alarms: readonly Alarm[];
}

function wishesOf({ event, entity, deliverTo }: Effect): Wish[] {
  if (entity === undefined) return [];
  const { internalId, revision } = entity;
  const { eventId } = event;
  return deliverTo.map((target) => ({ target, internalId, entityType: event.entity.type, revision, eventId }));
}
