import { Inject, Injectable } from '@nestjs/common';
import { awaitedMapping, type AwaitedThing } from '../../domain/awaited-name.js';
import type { Contract } from '../../domain/contract/contract.js';
import type { InternalId } from '../../domain/ids.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import type { Tx } from '../../platform/database/database.js';
import { Savepoint } from '../../platform/database/savepoint.js';
import { EntitiesService } from '../entities/entities.service.js';
import type { HeldEntities, HeldEntity } from '../entities/held-entities.js';
import { ParkingService } from '../parking/parking.service.js';
import {
  decideEvent,
  judgeWithheld,
  keyConflict,
  type Decided,
  type Effect,
  type ParkedEvent,
} from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';
import { withRivals } from './link-conflict.js';
import { ResolveEvents, type Resolution, type ResolvedEvent } from './resolve-events.js';

/** What a batch will change, and what has to wait. */
export interface DecidedBatch {
  readonly effects: readonly Effect[];
  readonly parked: readonly ParkedEvent[];
  /** Events that may go on by now, although they could not a moment ago: another batch decides them. */
  readonly putOff: readonly EventToProcess[];
  readonly changed: ReadonlySet<HeldEntity>;
  /** Places of entities where a create of ours was pending, and the id that came from outside. */
  readonly linkedTargets: readonly { readonly target: string; readonly internalId: InternalId }[];
  /** What others may be waiting for. */
  readonly happened: readonly AwaitedThing[];
}

/**
 * Resolves and decides a batch under the locks of its entities. An event that is parked or refused leaves nothing
 * behind, neither ids that it was the first to name nor links: where it made any, all of it is taken back, and the
 * batch is decided once more without it.
 */
@Injectable()
export class DecideBatch {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly resolveEvents: ResolveEvents,
    private readonly entities: EntitiesService,
    private readonly parking: ParkingService,
  ) {}

  async decide(tx: Tx, events: readonly EventToProcess[]): Promise<DecidedBatch> {
    const mayBeWithheld = events.some(({ eventType }) => this.contract.eventTypes.get(eventType)?.transition);
    if (!mayBeWithheld) return this.decideOnce(tx, events, new Set());
    const before = await Savepoint.set(tx);
    const withheld = new Set<EventToProcess>();
    for (;;) {
      const batch = await this.decideOnce(tx, events, withheld);
      if (batch.leftBehind.length === 0) {
        await before.keep();
        return batch;
      }
      for (const event of batch.leftBehind) withheld.add(event);
      await before.rollBack();
    }
  }

  /** @param withheld events that are only judged: nothing is bound or applied for them */
  private async decideOnce(
    tx: Tx,
    events: readonly EventToProcess[],
    withheld: ReadonlySet<EventToProcess>,
  ): Promise<DecidedBatch & { readonly leftBehind: readonly EventToProcess[] }> {
    const toApply = events.filter((event) => event.conflictsWith === undefined && !withheld.has(event));
    const resolution = await this.resolveEvents.resolve(tx, toApply);
    const foreseen = await this.resolveEvents.foresee(tx, [...withheld]);
    const wanted = [...resolution.byEvent, ...foreseen].map(([event, { internalId }]): [InternalId, string] => {
      return [internalId, event.entity.type];
    });
    const held = await this.entities.hold(tx, new Map(wanted), resolution.newEntities);
    const before = new Map(
      [...resolution.byEvent.values()].map(({ internalId }) => [internalId, held.of(internalId).path]),
    );

    const putOff: EventToProcess[] = [];
    const decided = events.flatMap((event): Decided[] => {
      if (event.conflictsWith !== undefined) return [{ kind: 'effect', ...keyConflict(event, event.conflictsWith) }];
      if (!withheld.has(event)) return [this.decideOne(event, resolution, held)];
      const known = foreseen.get(event);
      const judged = judgeWithheld(event, known && held.of(known.internalId), this.contract);
      if (judged === undefined) putOff.push(event);
      return judged === undefined ? [] : [judged];
    });

    const effects = decided.flatMap((each) => (each.kind === 'effect' ? each : []));
    const parked = decided.flatMap((each) => (each.kind === 'parked' ? each : []));
    const stopped = [...parked, ...effects.filter(({ outcome }) => outcome === 'refused')].map(({ event }) => event);
    const changed = new Set([...before.keys()].map((internalId) => held.of(internalId)));
    return {
      effects,
      parked,
      putOff,
      changed,
      linkedTargets: [...resolution.byEvent.values()].flatMap(linkedTargetsOf),
      happened: [
        ...resolution.landed.filter((id) => this.parking.isAwaited(id)).map(awaitedMapping),
        ...[...changed].flatMap(({ internalId, path }) =>
          path === before.get(internalId) ? [] : { kind: 'state' as const, internalId },
        ),
      ],
      leftBehind: stopped.filter((event) => resolution.byEvent.get(event)?.mayHaveBound === true),
    };
  }

  private decideOne(event: EventToProcess, { byEvent }: Resolution, held: HeldEntities): Decided {
    const resolved = byEvent.get(event);
    if (resolved === undefined) throw new Error(`The entity of event ${event.eventId} was not resolved.`);
    const decided = decideEvent(resolved, held.of(resolved.internalId), this.contract);
    return decided.kind === 'parked' ? decided : { kind: 'effect', ...withRivals(decided, resolved.rivals) };
  }
}

/** That record shall be brought up to date by us from now on. */
function linkedTargetsOf({ endedCreates, internalId }: ResolvedEvent): DecidedBatch['linkedTargets'] {
  return endedCreates.map((target) => ({ target, internalId }));
}
