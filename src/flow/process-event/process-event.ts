import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import type { EntityReference } from '../../domain/event.js';
import { CONTRACT, CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import { ConflictsService, type NewConflict } from '../conflicts/conflicts.service.js';
import { DeliveriesService, type Wish } from '../delivery/deliveries.service.js';
import { EntitiesService } from '../entities/entities.service.js';
import type { HeldEntity } from '../entities/held-entities.js';
import { IdMapService } from '../id-map/id-map.service.js';
import { TraceService } from '../trace/trace.service.js';
import type { Claim } from '../work/work.js';
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
    @Inject(CONTRACT_NUMBER) private readonly contractNumber: number,
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
      const entityOf = await this.resolve(tx, events);
      const effects = events.map((event) => this.decide(event, entityOf));
      const alarms = await this.apply(tx, effects, entityOf.values());
      await this.end(tx, effects);
      return { effects, alarms };
    });
  }

  /** External ids become entities, made on first sight, held under their locks until the transaction ends. */
  private async resolve(tx: Tx, events: readonly EventToProcess[]): Promise<ReadonlyMap<EventToProcess, HeldEntity>> {
    const toApply = events.filter((event) => event.conflictsWith === undefined);
    const internalIds = await this.idMap.resolve(tx, toApply.map(referenceOf));
    const idAndEvent = toApply.map((event) => ({ event, internalId: internalIds.of(event.entity) }));
    const held = await this.entities.hold(
      tx,
      new Map(idAndEvent.map(({ event, internalId }) => [internalId, event.entity.type])),
    );
    return new Map(idAndEvent.map(({ event, internalId }) => [event, held.of(internalId)]));
  }

  private decide(event: EventToProcess, entityOf: ReadonlyMap<EventToProcess, HeldEntity>): Effect {
    if (event.conflictsWith !== undefined) return keyConflict(event, event.conflictsWith);
    const entity = entityOf.get(event);
    if (entity === undefined) throw new Error(`The entity of event ${event.eventId} was not resolved.`);
    return decideEvent(event, entity, this.contract);
  }

  private async apply(tx: Tx, effects: readonly Effect[], held: Iterable<HeldEntity>): Promise<readonly Alarm[]> {
    await this.entities.save(tx, new Set(held));
    const alarms = await this.deliveries.want(tx, effects.flatMap(wishesOf));
    await this.conflicts.record(tx, effects.flatMap(conflictsOf));
    return alarms;
  }

  /** The last thing under the fences: a claim that was taken over undoes all of the above. */
  private async end(tx: Tx, effects: readonly Effect[]): Promise<void> {
    await this.work.finish(tx, 'event', effects.map(claimOf));
    const entries = effects.map((effect) => traceOf(effect, this.contractNumber));
    await this.trace.write(tx, entries);
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

const referenceOf = ({ entity }: EventToProcess): EntityReference => entity;
const claimOf = ({ event }: Effect): Claim => event.claim;
const conflictsOf = ({ conflict }: Effect): readonly NewConflict[] => (conflict === undefined ? [] : [conflict]);
