import { Injectable } from '@nestjs/common';
import { composeKey } from '../../domain/business-key.js';
import type { EntityReference } from '../../domain/event.js';
import { newInternalId, parseInternalId, uuidV7, type InternalId } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { Tx } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/database-fault.js';
import { Savepoint } from '../../platform/database/savepoint.js';
import {
  findMappingsByExternalId,
  findMappingsOfEntity,
  findPendingCreates,
  findPlacesOf,
  insertMappingsIfAbsent,
  linkPendings,
  lookUpMappings,
  lookUpPrimaries,
  type FirstSightRow,
} from './id-map.sql.js';
import type { LinkClaim, RivalLink } from './link-claim.js';
import type { Mapping, MappingKey } from './mapping.js';
import {
  identityKey,
  placeKey,
  planIdentities,
  type Binding,
  type HeldMap,
  type IdentityPlan,
} from './plan-identities.js';

/** External to internal ids, as one batch sees them. */
export interface Identities {
  of(entity: EntityReference): InternalId;
  /** The links that were not made. */
  readonly rivals: readonly RivalLink[];
  /** Places that were reserved for a create of ours, and the id that came from outside. */
  readonly endedCreates: readonly Binding[];
  /** Ids that nobody knew before. */
  readonly landed: readonly EntityReference[];
  /** Entities that nobody but this transaction can know yet. */
  readonly newEntities: ReadonlySet<InternalId>;
}

/** Others may bind the same ids while we do; after this many rounds something else is wrong. */
const ROUNDS_MAX = 10;

/**
 * The map in verbs: external id → internal id (made on first sight), internal id → external ids. Owns `mappings`; the
 * life of a pending create is in `PendingCreateService`, links from people and tools are in `LinkService`.
 */
@Injectable()
export class IdMapService {
  constructor(private readonly clock: DatabaseClock) {}

  /**
   * Gives every entity that is named its internal id; unknown ones get a new one. Race-free: of two first sights of
   * one external id one inserts, the other waits for its commit and takes the winner's.
   *
   * @param claims what events say about the identity of some of these entities; see `planIdentities`
   */
  async resolve(tx: Tx, entities: readonly EntityReference[], claims: readonly LinkClaim[] = []): Promise<Identities> {
    const linked = claims.flatMap(({ links }) => links.flatMap((link) => (link.kind === 'external' ? link.id : [])));
    const wanted = [...new Map([...entities, ...linked].map((entity) => [identityKey(entity), entity])).values()];
    if (claims.length > 0) return identitiesOf(await this.resolveClaims(tx, entities, wanted, claims));
    const known = await readKnown(tx, wanted);
    const unknown = wanted.filter((entity) => !known.has(identityKey(entity)));
    const newMappings = unknown.map((id) => ({ id, internalId: this.newInternalId(), origin: 'seen' as const }));
    if (newMappings.length === 0) return identitiesOf({ ...NO_CLAIMS, identities: known, newMappings });
    await insertMappingsIfAbsent(
      tx,
      newMappings.map((binding) => this.row(binding)),
    );
    const identities = new Map([...known, ...(await readKnown(tx, unknown))]);
    return identitiesOf({ ...NO_CLAIMS, identities, newMappings });
  }

  /** Which of the external ids are known; nothing is locked, so that the others may be known in the next moment. */
  async known(tx: Tx, entities: readonly EntityReference[]): Promise<ReadonlySet<string>> {
    if (entities.length === 0) return new Set();
    const rows = await lookUpMappings(tx, entities.map(mappingKey));
    return new Set(rows.map((row) => composeKey([row.system, row.entity_type, row.external_id ?? ''])));
  }

  /**
   * The entity that an event would be about, by its id or else by its links; nothing is bound. Undefined where it
   * would be a new one.
   */
  async foresee(tx: Tx, entity: EntityReference, claim: LinkClaim | undefined): Promise<InternalId | undefined> {
    const claims = claim === undefined ? [] : [claim];
    const linked = claims.flatMap(({ links }) => links.flatMap((link) => (link.kind === 'external' ? link.id : [])));
    const held = await readHeldMap(tx, [entity, ...linked], claims);
    const newEntities = new Set<InternalId>();
    const { identities } = planIdentities([entity], claims, held, () => {
      const internalId = this.newInternalId();
      newEntities.add(internalId);
      return internalId;
    });
    const internalId = identities.get(identityKey(entity));
    return internalId === undefined || newEntities.has(internalId) ? undefined : internalId;
  }

  /**
   * Plans by what the map holds and binds all of it at once. Where somebody else bound one of the ids, or took one of the
   * places, meanwhile, everything is taken back to the savepoint, and planned anew by what the winner left: half a plan
   * would tie an id to an entity that the other half no longer means.
   */
  private async resolveClaims(
    tx: Tx,
    entities: readonly EntityReference[],
    wanted: readonly EntityReference[],
    claims: readonly LinkClaim[],
  ): Promise<IdentityPlan> {
    const before = await Savepoint.set(tx);
    for (let round = 1; round <= ROUNDS_MAX; round++) {
      const held = await readHeldMap(tx, wanted, claims);
      const plan = planIdentities(entities, claims, held, () => this.newInternalId());
      if (await this.bind(tx, plan)) {
        await before.keep();
        return plan;
      }
      await before.rollBack();
    }
    throw new Error('Ids could neither be bound nor found bound.');
  }

  /** False where somebody else was faster in any of it. */
  private async bind(tx: Tx, { newMappings, endedCreates }: IdentityPlan): Promise<boolean> {
    try {
      const inserted =
        newMappings.length === 0
          ? []
          : await insertMappingsIfAbsent(
              tx,
              newMappings.map((binding) => this.row(binding)),
            );
      const ended = endedCreates.length === 0 ? [] : await linkPendings(tx, endedCreates.map(linkRow));
      return inserted.length === newMappings.length && ended.length === endedCreates.length;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
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

  private newInternalId(): InternalId {
    return newInternalId(this.clock.nowMs());
  }

  private row(binding: IdentityPlan['newMappings'][number]): FirstSightRow {
    return { ...linkRow(binding), mapping_id: uuidV7(this.clock.nowMs()), origin: binding.origin };
  }
}

const NO_CLAIMS = { rivals: [], endedCreates: [] };

function identitiesOf({ identities, rivals, endedCreates, newMappings }: IdentityPlan): Identities {
  // Where somebody else was faster, the id leads to the winner's entity.
  const ours = newMappings.filter(({ id, internalId }) => identities.get(identityKey(id)) === internalId);
  return {
    rivals,
    endedCreates,
    landed: [...ours, ...endedCreates].map(({ id }) => id),
    newEntities: new Set(ours.flatMap(({ origin, internalId }) => (origin === 'seen' ? internalId : []))),
    of(entity) {
      const internalId = identities.get(identityKey(entity));
      // Deleted between our insert and our look: the transaction fails, and the work is tried again.
      if (internalId === undefined) throw new Error('A mapping vanished while it was being resolved.');
      return internalId;
    },
  };
}

async function readKnown(tx: Tx, references: readonly EntityReference[]): Promise<Map<string, InternalId>> {
  if (references.length === 0) return new Map();
  const rows = await findMappingsByExternalId(tx, references.map(mappingKey));
  return new Map(rows.map((row) => [composeKey([row.system, row.entity_type, row.external_id]), row.internal_id]));
}

async function readHeldMap(tx: Tx, wanted: readonly EntityReference[], claims: readonly LinkClaim[]): Promise<HeldMap> {
  const known = await readKnown(tx, wanted);
  const meant = claims.flatMap(({ entity, links }) => [
    known.get(identityKey(entity)),
    ...links.map((link) =>
      link.kind === 'external' ? known.get(identityKey(link.id)) : parseInternalId(link.internalId),
    ),
  ]);
  const internalIds = new Set(meant.filter((internalId) => internalId !== undefined));
  const rows = internalIds.size === 0 ? [] : await findPlacesOf(tx, [...internalIds]);
  return {
    known,
    places: new Map(rows.map((row) => [placeKey(row.internal_id, row.system), row.external_id])),
    entityTypes: new Map(rows.map((row) => [row.internal_id, row.entity_type])),
  };
}

function linkRow({ id, internalId }: Binding): Omit<FirstSightRow, 'mapping_id' | 'origin'> {
  return { ...mappingKey(id), internal_id: internalId, raw_external_id: id.rawExternalId };
}

function mappingKey(entity: EntityReference): MappingKey {
  return { system: entity.system, entity_type: entity.type, external_id: entity.externalId };
}
