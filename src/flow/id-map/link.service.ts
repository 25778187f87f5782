import { Injectable } from '@nestjs/common';
import { uuidV7, type InternalId } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import { ParkingService } from '../parking/parking.service.js';
import { findPrimary, insertLinkIfAbsent, lookUpMappings } from './id-map.sql.js';
import type { Mapping } from './mapping.js';
import { PendingCreateService } from './pending-create.service.js';

export type LinkOutcome =
  | { readonly kind: 'new' }
  | { readonly kind: 'same' }
  /** The id belongs to another entity, or the entity has another primary id in this system. */
  | { readonly kind: 'taken'; readonly holder: Mapping };

/** Holders may vanish between our insert and our look; after this many rounds something else is wrong. */
const ROUNDS_MAX = 5;

/** Binds an external id to an entity on somebody's word. Both directions are unique; nothing is ever overwritten. */
@Injectable()
export class LinkService {
  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly pendingCreates: PendingCreateService,
    private readonly parking: ParkingService,
  ) {}

  async link(wish: {
    readonly system: string;
    readonly entityType: string;
    readonly externalId: string;
    readonly rawExternalId: string;
    readonly internalId: InternalId;
  }): Promise<LinkOutcome> {
    const { system, entityType, externalId, rawExternalId, internalId } = wish;
    const row = {
      mapping_id: uuidV7(this.clock.nowMs()),
      internal_id: internalId,
      entity_type: entityType,
      system,
      external_id: externalId,
      raw_external_id: rawExternalId,
    };
    for (let round = 1; round <= ROUNDS_MAX; round++) {
      const id = { system, type: entityType, externalId };
      const linked = await this.parking.land(id, (tx) => insertLinkIfAbsent(tx, row));
      if (linked.length > 0) return { kind: 'new' };
      const [ofId] = await lookUpMappings(this.database, [row]);
      if (ofId !== undefined)
        return ofId.internal_id === internalId ? { kind: 'same' } : { kind: 'taken', holder: ofId };
      const [ofPlace] = await findPrimary(this.database, internalId, system);
      if (ofPlace === undefined) continue;
      if (ofPlace.external_id !== null) return { kind: 'taken', holder: ofPlace };
      // The place is reserved for a create of ours: the id that it waits for has arrived from outside.
      const ended = await this.pendingCreates.link({ system, entityType, internalId }, { externalId, rawExternalId });
      if (ended.kind === 'linked') return { kind: 'new' };
    }
    throw new Error('A link could neither be made nor refused.');
  }
}
