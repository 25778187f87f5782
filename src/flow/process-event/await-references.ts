import { Inject, Injectable } from '@nestjs/common';
import { awaitedMapping } from '../../domain/awaited-name.js';
import type { Contract } from '../../domain/contract/contract.js';
import type { EntityReference } from '../../domain/event.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import type { Tx } from '../../platform/database/database.js';
import { IdMapService } from '../id-map/id-map.service.js';
import { identityKey } from '../id-map/plan-identities.js';
import { ParkingService } from '../parking/parking.service.js';
import type { ParkedEvent } from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';
import { referencesOf } from './event-references.js';

/** The table of locks is everybody's: a batch that would need more is divided until one event stands alone. */
const NAMES_MAX = 1_000;

/** Thrown in front of the first lock. */
class TooManyNames extends Error {
  constructor() {
    super(`The batch names more than ${String(NAMES_MAX)} ids that nobody knows yet.`);
  }
}

/**
 * Keeps events back that refer to somebody whom nobody knows yet, where their rule says `missing: wait`. It takes the
 * locks of all unknown ids that something may wait for, also for those who are about to make one of them known.
 */
@Injectable()
export class AwaitReferences {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly idMap: IdMapService,
    private readonly parking: ParkingService,
  ) {}

  /** First of all locks of the transaction. Returns the events that have to wait, each with the first thing it needs. */
  async hold(tx: Tx, events: readonly EventToProcess[]): Promise<readonly ParkedEvent[]> {
    const named = events
      .filter(({ conflictsWith }) => conflictsWith === undefined)
      .map((event) => ({ event, references: referencesOf(event, this.contract) }));
    const ids = named.flatMap(({ event: { entity, links }, references }) => [
      entity,
      ...(links?.others ?? []),
      ...references.flatMap(({ found }) => found.map((reference) => reference.entity)),
    ]);
    const unknown = await this.unknownOf(tx, ids);
    if (unknown.length === 0) return [];
    if (unknown.length > NAMES_MAX && events.length > 1) throw new TooManyNames();
    await this.parking.lockUnknown(tx, unknown);
    // Under the locks: whoever made one of them known has committed.
    const missing = new Set((await this.unknownOf(tx, unknown)).map(identityKey));
    return named.flatMap(({ event, references }) => {
      const awaited = references
        .filter(({ rule }) => rule.missing === 'wait')
        .flatMap(({ found }) => found)
        // A thing that refers to itself would wait for itself.
        .filter(({ entity }) => identityKey(entity) !== identityKey(event.entity));
      const first = awaited.find(({ entity }) => missing.has(identityKey(entity)));
      return first === undefined ? [] : parkedBy(event, first);
    });
  }

  private async unknownOf(tx: Tx, ids: readonly EntityReference[]): Promise<readonly EntityReference[]> {
    const awaited = [...new Map(ids.map((id) => [identityKey(id), id])).values()].filter((id) =>
      this.parking.isAwaited(id),
    );
    const known = await this.idMap.known(tx, awaited);
    return awaited.filter((id) => !known.has(identityKey(id)));
  }
}

function parkedBy(
  event: EventToProcess,
  { path, entity }: { readonly path: string; readonly entity: EntityReference },
): ParkedEvent {
  const { system, type, externalId } = entity;
  const detail = `It refers at \`${path}\` to ${type} \`${externalId}\` of ${system}, which nobody knows yet.`;
  return { event, things: [awaitedMapping(entity)], code: 'reference.missing', detail };
}
