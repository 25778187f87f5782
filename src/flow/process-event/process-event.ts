import { Inject, Injectable } from '@nestjs/common';
import { CONTRACT_NUMBER } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import { ConflictsService, type NewConflict } from '../conflicts/conflicts.service.js';
import { DeliveriesService, type Wish } from '../delivery/deliveries.service.js';
import { EntitiesService } from '../entities/entities.service.js';
import { ParkingService } from '../parking/parking.service.js';
import { TraceService } from '../trace/trace.service.js';
import type { Claim } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import { AwaitReferences } from './await-references.js';
import { DecideBatch, type DecidedBatch } from './decide-batch.js';
import type { Effect, ParkedEvent } from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';
import { traceOf, traceOfParked } from './trace-of.js';

/**
 * The heart of the journey: claimed events become effects. Everything that a batch changes commits in one transaction
 * together with the end of its work rows, under the fences of their claims: either all of it happened, once, or
 * nothing did.
 */
@Injectable()
export class ProcessEvent {
  constructor(
    @Inject(CONTRACT_NUMBER) private readonly contractNumber: number,
    private readonly database: Database,
    private readonly awaitReferences: AwaitReferences,
    private readonly decideBatch: DecideBatch,
    private readonly entities: EntitiesService,
    private readonly conflicts: ConflictsService,
    private readonly deliveries: DeliveriesService,
    private readonly work: WorkService,
    private readonly parking: ParkingService,
    private readonly trace: TraceService,
  ) {}

  /**
   * Wait, resolve, decide, apply, release; in this order of locks: awaited names, mappings, entities, records,
   * deliveries, work.
   *
   * @returns the effects, and the alarms to set now that the transaction has committed
   * @throws LeaseLost when another worker took over one of the claims, and whatever the database reports; nothing has
   *   happened then
   */
  process(events: readonly EventToProcess[]): Promise<Processed> {
    return this.database.transaction(async (tx) => {
      const waiting = await this.awaitReferences.hold(tx, events);
      const batch = await this.decideBatch.decide(tx, without(events, waiting));
      const parked = [...waiting, ...batch.parked];
      const alarms = await this.apply(tx, batch);
      await this.end(tx, batch, parked);
      // After this batch's own events were parked: one of them may have been waiting for another.
      await this.parking.release(tx, batch.happened);
      return { effects: batch.effects, parked, alarms };
    });
  }

  private async apply(tx: Tx, { effects, changed, linkedTargets }: DecidedBatch): Promise<readonly Alarm[]> {
    await this.entities.save(tx, changed);
    const alarms = await this.deliveries.want(tx, effects.flatMap(wishesOf), linkedTargets);
    await this.conflicts.record(tx, effects.flatMap(conflictsOf));
    return alarms;
  }

  /** The last thing under the fences: a claim that was taken over undoes all of the above. */
  private async end(tx: Tx, { effects, putOff }: DecidedBatch, parked: readonly ParkedEvent[]): Promise<void> {
    await this.work.finish(tx, 'event', effects.map(claimOf));
    for (const { claim } of putOff) await this.work.putOff(tx, 'event', claim);
    const startedToWait = await this.parking.park(
      tx,
      parked.map(({ event: { claim }, ...wait }) => ({ claim, ...wait })),
    );
    await this.trace.write(tx, [
      ...effects.map((effect) => traceOf(effect, this.contractNumber)),
      // Whoever waits on for the same thing was only looked at: a row for each look would bury the story.
      ...parked
        .filter(({ event }) => startedToWait.has(event.claim.key))
        .map((each) => traceOfParked(each, this.contractNumber)),
    ]);
  }
}

export interface Processed {
  readonly effects: readonly Effect[];
  readonly parked: readonly ParkedEvent[];
  readonly alarms: readonly Alarm[];
}

function without(events: readonly EventToProcess[], parked: readonly ParkedEvent[]): readonly EventToProcess[] {
  const waiting = new Set(parked.map(({ event }) => event));
  return waiting.size === 0 ? events : events.filter((event) => !waiting.has(event));
}

function wishesOf({ event, entity, deliverTo }: Effect): Wish[] {
  if (entity === undefined) return [];
  const { internalId, revision } = entity;
  const { eventId } = event;
  return deliverTo.map((target) => ({ target, internalId, entityType: event.entity.type, revision, eventId }));
}

const claimOf = ({ event }: Effect): Claim => event.claim;
const conflictsOf = ({ conflict, linkConflicts = [] }: Effect): readonly NewConflict[] =>
  conflict === undefined ? linkConflicts : [conflict, ...linkConflicts];
