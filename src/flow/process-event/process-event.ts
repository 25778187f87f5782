import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { CONTRACT, CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import { ConflictsService, type NewConflict } from '../conflicts/conflicts.service.js';
import { DeliveriesService, type LinkedTarget, type Wish } from '../delivery/deliveries.service.js';
import { EntitiesService } from '../entities/entities.service.js';
import type { HeldEntity } from '../entities/held-entities.js';
import { TraceService } from '../trace/trace.service.js';
import type { Claim } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import { decideEvent, keyConflict, type Effect } from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';
import { withRivals } from './link-conflict.js';
import { ResolveEvents, type ResolvedEvent } from './resolve-events.js';
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
    private readonly resolveEvents: ResolveEvents,
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
      const resolved = await this.resolve(tx, events);
      const effects = events.map((event) => this.decide(event, resolved.get(event)));
      const alarms = await this.apply(tx, effects, [...resolved.values()]);
      await this.end(tx, effects);
      return { effects, alarms };
    });
  }

  /** External ids become entities, made on first sight, held under their locks until the transaction ends. */
  private async resolve(tx: Tx, events: readonly EventToProcess[]): Promise<ReadonlyMap<EventToProcess, Resolved>> {
    const toApply = events.filter((event) => event.conflictsWith === undefined);
    const named = await this.resolveEvents.resolve(tx, toApply);
    const held = await this.entities.hold(
      tx,
      new Map(named.map(({ internalId, event }) => [internalId, event.entity.type])),
    );
    return new Map(named.map((each) => [each.event, { names: each, entity: held.of(each.internalId) }]));
  }

  private decide(event: EventToProcess, resolved: Resolved | undefined): Effect {
    if (event.conflictsWith !== undefined) return keyConflict(event, event.conflictsWith);
    if (resolved === undefined) throw new Error(`The entity of event ${event.eventId} was not resolved.`);
    const { names, entity } = resolved;
    const effect = decideEvent(names, entity, this.contract);
    return withRivals(effect, names.rivals);
  }

  private async apply(tx: Tx, effects: readonly Effect[], resolved: readonly Resolved[]): Promise<readonly Alarm[]> {
    await this.entities.save(tx, new Set(resolved.map(({ entity }) => entity)));
    const alarms = await this.deliveries.want(tx, effects.flatMap(wishesOf), resolved.flatMap(linkedTargetsOf));
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

/** An event's entity under its lock, and everybody else whom the event names. */
interface Resolved {
  readonly names: ResolvedEvent;
  readonly entity: HeldEntity;
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

/** Where a create of ours was pending and the entity's id came from outside: that record shall be brought up to date. */
function linkedTargetsOf({ names, entity: { internalId } }: Resolved): LinkedTarget[] {
  return names.endedCreates.map((target) => ({ target, internalId }));
}

const claimOf = ({ event }: Effect): Claim => event.claim;
const conflictsOf = ({ conflict, linkConflicts = [] }: Effect): readonly NewConflict[] =>
  conflict === undefined ? linkConflicts : [conflict, ...linkConflicts];
