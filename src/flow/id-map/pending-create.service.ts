import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { InternalId } from '../../domain/ids.js';
import { uuidV7 } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import { databaseFault, isUniqueViolation } from '../../platform/database/database-fault.js';
import { ParkingService } from '../parking/parking.service.js';
import { findPrimary, insertPendingIfAbsent, linkPending, updatePendingState } from './id-map.sql.js';
import type { Mapping } from './mapping.js';

/** An entity's place in one system. */
export interface Place {
  readonly internalId: InternalId;
  readonly entityType: string;
  readonly system: string;
}

/** A new external id, as compared and as spelt. */
export interface NewExternalId {
  readonly externalId: string;
  readonly rawExternalId: string;
}

const LINK_TRIES_MAX = 20;
const LINK_PAUSE_MS = 500;

export type Linked =
  | { readonly kind: 'linked' }
  /** The place holds another id by now, spelt so: what we created is a second record at the target. */
  | { readonly kind: 'place_taken'; readonly externalId: string }
  /** The id belongs to another entity. */
  | { readonly kind: 'id_taken' };

/**
 * The life of a pending create: a primary mapping whose external id does not exist yet. Its unique index arbitrates
 * between our create and a write-back. Every step is a statement that commits alone, because the steps describe what
 * happened outside, which no rollback undoes.
 */
@Injectable()
export class PendingCreateService {
  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly parking: ParkingService,
  ) {}

  /** The entity's primary mapping in the system; where there is none, its place is reserved. */
  async reserve(place: Place): Promise<Mapping> {
    const { internalId, entityType, system } = place;
    const [existing] = await findPrimary(this.database, internalId, system);
    if (existing !== undefined) return existing;
    const row = { internal_id: internalId, entity_type: entityType, system, mapping_id: uuidV7(this.clock.nowMs()) };
    await insertPendingIfAbsent(this.database, row);
    const [reserved] = await findPrimary(this.database, internalId, system);
    if (reserved === undefined) throw new Error('A reserved place vanished.');
    return reserved;
  }

  /**
   * Says how the create stands, under the fence of the claim that knows it. False when the place is linked by now, or
   * when a later claim has said so since: a worker that comes back late must not take its `creating` away.
   */
  async mark(
    { internalId, system }: Place,
    fence: bigint,
    state: 'due' | 'creating' | 'unknown' | 'blocked',
  ): Promise<boolean> {
    const marked = await updatePendingState(this.database, { internal_id: internalId, system }, fence, state);
    return marked.length > 0;
  }

  /** Commits a new external id at once: were it lost, the next attempt would create the record again. */
  async link(place: Place, { externalId, rawExternalId }: NewExternalId): Promise<Linked> {
    const { internalId, system } = place;
    const linked = await this.tryToLink(place, { externalId, rawExternalId }, LINK_TRIES_MAX);
    if (linked !== undefined) return linked;
    const [holder] = await findPrimary(this.database, internalId, system);
    if (holder?.external_id === externalId) return { kind: 'linked' };
    const held = holder?.raw_external_id ?? holder?.external_id ?? undefined;
    if (held === undefined) throw new Error('A pending create vanished while its id arrived.');
    return { kind: 'place_taken', externalId: held };
  }

  /** A restart of the database or a lock must not cost an id that only we know. Undefined: it is no longer pending. */
  private async tryToLink(place: Place, id: NewExternalId, triesLeft: number): Promise<Linked | undefined> {
    const { internalId, system, entityType: type } = place;
    const { externalId, rawExternalId } = id;
    const link = { internal_id: internalId, system, external_id: externalId, raw_external_id: rawExternalId };
    try {
      const linked = await this.parking.land({ system, type, externalId }, (tx) => linkPending(tx, link));
      return linked.length > 0 ? { kind: 'linked' } : undefined;
    } catch (error) {
      if (isUniqueViolation(error)) return { kind: 'id_taken' };
      if (triesLeft <= 1 || databaseFault(error) === 'item') throw error;
    }
    await delay(LINK_PAUSE_MS);
    return this.tryToLink(place, id, triesLeft - 1);
  }
}
