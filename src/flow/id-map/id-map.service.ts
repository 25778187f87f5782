import { Injectable } from '@nestjs/common';
import { composeKey } from '../../domain/business-key.js';
import type { EntityReference } from '../../domain/event.js';
import { newInternalId, uuidV7, type InternalId } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { Tx } from '../../platform/database/database.js';
import {
  findMappingsByExternalId,
  findMappingsOfEntity,
  findPendingCreates,
  insertMappingsIfAbsent,
  lookUpMappings,
  lookUpPrimaries,
  type FirstSightRow,
} from './id-map.sql.js';
import type { Mapping, MappingKey } from './mapping.js';

/** External to internal ids, as one batch sees them. */
export interface Identities {
  of(entity: EntityReference): InternalId;
}

const NOBODY: Identities = {
  of() {
    throw new Error('No entity was resolved.');
  },
};

/**
 * The map in verbs: external id → internal id (made on first sight), internal id → external ids. Owns `mappings`; the
 * life of a pending create is in `PendingCreateService`, links from outside are in `WriteBackService`.
 */
@Injectable()
export class IdMapService {
  constructor(private readonly clock: DatabaseClock) {}

  /**
   * Gives every entity that is named its internal id; unknown ones get a new one. Race-free: of two first sights of
   * one external id one inserts, the other waits for its commit and takes the winner's.
   */
  async resolve(tx: Tx, entities: readonly EntityReference[]): Promise<Identities> {
    if (entities.length === 0) return NOBODY;
    const wanted = new Map(entities.map((entity) => [identityKey(entity), entity]));
    const known = new Map<string, InternalId>();
    const readKnown = async (references: readonly EntityReference[]): Promise<void> => {
      for (const row of await findMappingsByExternalId(tx, references.map(mappingKey))) {
        known.set(rowKey(row), row.internal_id);
      }
    };
    await readKnown([...wanted.values()]);
    const unknown = [...wanted].filter(([key]) => !known.has(key)).map(([, entity]) => entity);
    if (unknown.length > 0) {
      await insertMappingsIfAbsent(
        tx,
        unknown.map((entity) => this.firstSight(entity)),
      );
      await readKnown(unknown);
    }
    return {
      of(entity) {
        const internalId = known.get(identityKey(entity));
        // Deleted between our insert and our look: the transaction fails, and the work is tried again.
        if (internalId === undefined) throw new Error('A mapping vanished while it was being resolved.');
        return internalId;
      },
    };
  }

  mappingsOf(tx: Tx, internalId: InternalId): Promise<Mapping[]> {
    return findMappingsOfEntity(tx, internalId);
  }

  lookUp(tx: Tx, keys: readonly MappingKey[]): Promise<Mapping[]> {
    return keys.length === 0 ? Promise.resolve([]) : lookUpMappings(tx, keys);
  }

  primariesIn(tx: Tx, system: string, internalIds: readonly InternalId[]): Promise<Mapping[]> {
    return internalIds.length === 0 ? Promise.resolve([]) : lookUpPrimaries(tx, internalIds, system);
  }

  pendingCreates(tx: Tx, filter: { system: string | null; after: string | null; limit: number }): Promise<Mapping[]> {
    return findPendingCreates(tx, filter);
  }

  private firstSight(entity: EntityReference): FirstSightRow {
    const nowMs = this.clock.nowMs();
    return {
      ...mappingKey(entity),
      mapping_id: uuidV7(nowMs),
      internal_id: newInternalId(nowMs),
      raw_external_id: entity.rawExternalId,
    };
  }
}

function mappingKey(entity: EntityReference): MappingKey {
  return { system: entity.system, entity_type: entity.type, external_id: entity.externalId };
}

function identityKey(entity: EntityReference): string {
  return composeKey([entity.system, entity.type, entity.externalId]);
}

function rowKey(row: MappingKey): string {
  return composeKey([row.system, row.entity_type, row.external_id]);
}
