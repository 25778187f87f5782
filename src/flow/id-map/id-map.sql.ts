import type { InternalId } from '../../domain/ids.js';
import type { Tx } from '../../platform/database/database.js';
import type { Mapping, MappingKey } from './mapping.js';

export interface IdentityRow extends MappingKey {
  readonly internal_id: InternalId;
}

/**
 * The mappings that hold the given external ids, kept from being moved until the transaction ends. In one order, so
 * that two batches lock them alike.
 */
export function findMappingsByExternalId(tx: Tx, keys: readonly MappingKey[]): Promise<IdentityRow[]> {
  return tx.query<IdentityRow>(
    `SELECT mappings.system, mappings.entity_type, mappings.external_id, mappings.internal_id
       FROM mappings
       JOIN jsonb_to_recordset($1::jsonb) AS wanted (system text, entity_type text, external_id text)
         ON mappings.system = wanted.system AND mappings.entity_type = wanted.entity_type
        AND mappings.external_id = wanted.external_id
      ORDER BY mappings.system, mappings.entity_type, mappings.external_id
        FOR SHARE OF mappings`,
    [JSON.stringify(keys)],
  );
}

export interface FirstSightRow extends IdentityRow {
  readonly mapping_id: string;
  readonly raw_external_id: string;
  readonly origin: 'seen' | 'linked';
}

/**
 * Binds external ids that were seen for the first time. Whoever comes second waits for the first one's commit and
 * inserts nothing: read the winners in a second statement. Returns what was inserted.
 */
export function insertMappingsIfAbsent(tx: Tx, rows: readonly FirstSightRow[]): Promise<{ mapping_id: string }[]> {
  return tx.query<{ mapping_id: string }>(
    `INSERT INTO mappings (mapping_id, internal_id, entity_type, system, external_id, raw_external_id, state, origin)
     SELECT row.mapping_id, row.internal_id, row.entity_type, row.system, row.external_id, row.raw_external_id,
            'linked', row.origin
       FROM jsonb_to_recordset($1::jsonb) AS row (mapping_id uuid, internal_id uuid, entity_type text, system text,
                                                  external_id text, raw_external_id text, origin text)
      ORDER BY row.system, row.entity_type, row.external_id
     ON CONFLICT DO NOTHING
     RETURNING mappings.mapping_id`,
    [JSON.stringify(rows)],
  );
}

/** The type of entities and their primary places, pending creates included; without locks: unique indexes decide. */
export function findPlacesOf(
  tx: Tx,
  internalIds: readonly InternalId[],
): Promise<Pick<Mapping, 'internal_id' | 'entity_type' | 'system' | 'external_id'>[]> {
  return tx.query(
    `SELECT mappings.internal_id, mappings.entity_type, mappings.system, mappings.external_id
       FROM mappings WHERE mappings.internal_id = ANY($1::uuid[]) AND mappings.role = 'primary'`,
    [internalIds],
  );
}

/**
 * Gives pending mappings their external ids, in one order. Fewer rows than asked for: some are not pending (any more). A
 * unique violation means that an id was bound elsewhere meanwhile: run it behind a savepoint.
 */
export function linkPendings(
  tx: Tx,
  links: readonly (MappingKey & { readonly internal_id: string; readonly raw_external_id: string })[],
): Promise<{ mapping_id: string }[]> {
  return tx.query<{ mapping_id: string }>(
    `WITH pending AS MATERIALIZED (
       SELECT mappings.mapping_id, row.external_id, row.raw_external_id
         FROM jsonb_to_recordset($1::jsonb) AS row (internal_id uuid, system text, external_id text,
                                                    raw_external_id text)
         JOIN mappings ON mappings.internal_id = row.internal_id AND mappings.system = row.system
          AND mappings.role = 'primary' AND mappings.external_id IS NULL
        ORDER BY mappings.system, mappings.internal_id
          FOR UPDATE OF mappings
     )
     UPDATE mappings SET external_id = pending.external_id, raw_external_id = pending.raw_external_id, state = 'linked',
                         updated_at = now()
       FROM pending
      WHERE mappings.mapping_id = pending.mapping_id AND mappings.external_id IS NULL
     RETURNING mappings.mapping_id`,
    [JSON.stringify(links)],
  );
}

const MAPPING_COLUMNS = `mappings.mapping_id, mappings.internal_id, mappings.entity_type, mappings.system,
  mappings.external_id, mappings.raw_external_id, mappings.role, mappings.state, mappings.created_at,
  mappings.updated_at`;

/** Every mapping of an entity, pending creates included. */
export function findMappingsOfEntity(tx: Tx, internalId: string): Promise<Mapping[]> {
  return tx.query<Mapping>(
    `SELECT ${MAPPING_COLUMNS} FROM mappings WHERE mappings.internal_id = $1 ORDER BY mappings.system, mappings.role DESC`,
    [internalId],
  );
}

/** Plain look-up, without a lock. Rows line up with nothing: match them by key. */
export function lookUpMappings(tx: Tx, keys: readonly MappingKey[]): Promise<Mapping[]> {
  return tx.query<Mapping>(
    `SELECT ${MAPPING_COLUMNS} FROM mappings
       JOIN jsonb_to_recordset($1::jsonb) AS wanted (system text, entity_type text, external_id text)
         ON mappings.system = wanted.system AND mappings.entity_type = wanted.entity_type
        AND mappings.external_id = wanted.external_id`,
    [JSON.stringify(keys)],
  );
}

/** The primary mappings of entities in one system; an entity without one, or with a pending one, is missing. */
export function lookUpPrimaries(tx: Tx, internalIds: readonly string[], system: string): Promise<Mapping[]> {
  return tx.query<Mapping>(
    `SELECT ${MAPPING_COLUMNS} FROM mappings
      WHERE mappings.internal_id = ANY($1::uuid[]) AND mappings.system = $2 AND mappings.role = 'primary'
        AND mappings.external_id IS NOT NULL`,
    [internalIds, system],
  );
}

/** The primary mapping of an entity in a system, linked or pending. */
export function findPrimary(tx: Tx, internalId: string, system: string): Promise<Mapping[]> {
  return tx.query<Mapping>(
    `SELECT ${MAPPING_COLUMNS} FROM mappings
      WHERE mappings.internal_id = $1 AND mappings.system = $2 AND mappings.role = 'primary'`,
    [internalId, system],
  );
}

/** Reserves an entity's place in a system for a record that does not exist yet. Nothing happens where it is taken. */
export async function insertPendingIfAbsent(
  tx: Tx,
  row: {
    readonly mapping_id: string;
    readonly internal_id: string;
    readonly entity_type: string;
    readonly system: string;
  },
): Promise<void> {
  await tx.query(
    `INSERT INTO mappings (mapping_id, internal_id, entity_type, system, state, origin)
     VALUES ($1, $2, $3, $4, 'due', 'pending')
     ON CONFLICT DO NOTHING`,
    [row.mapping_id, row.internal_id, row.entity_type, row.system],
  );
}

/** Moves a pending create to another state. Zero rows: it is linked by now, or in the hands of a later claim. */
export function updatePendingState(
  tx: Tx,
  mapping: { readonly internal_id: string; readonly system: string },
  fence: bigint,
  state: 'due' | 'creating' | 'unknown' | 'blocked',
): Promise<{ mapping_id: string }[]> {
  return tx.query<{ mapping_id: string }>(
    `UPDATE mappings SET state = $4, create_fence = $3, updated_at = now()
      WHERE mappings.internal_id = $1 AND mappings.system = $2 AND mappings.role = 'primary'
        AND mappings.external_id IS NULL AND mappings.create_fence <= $3
     RETURNING mappings.mapping_id`,
    [mapping.internal_id, mapping.system, String(fence), state],
  );
}

/**
 * Gives a pending mapping its external id. Zero rows: it is not pending (any more). A unique violation means that the
 * id already belongs to another entity; run it outside of any transaction that must survive that.
 */
export function linkPending(
  tx: Tx,
  link: {
    readonly internal_id: string;
    readonly system: string;
    readonly external_id: string;
    readonly raw_external_id: string;
  },
): Promise<{ mapping_id: string }[]> {
  return tx.query<{ mapping_id: string }>(
    `UPDATE mappings SET external_id = $3, raw_external_id = $4, state = 'linked', updated_at = now()
      WHERE mappings.internal_id = $1 AND mappings.system = $2 AND mappings.role = 'primary'
        AND mappings.external_id IS NULL
     RETURNING mappings.mapping_id`,
    [link.internal_id, link.system, link.external_id, link.raw_external_id],
  );
}

/** Links an external id to an entity where both places are free. Zero rows: one of them is taken; read which. */
export function insertLinkIfAbsent(tx: Tx, row: Omit<FirstSightRow, 'origin'>): Promise<{ mapping_id: string }[]> {
  return tx.query<{ mapping_id: string }>(
    `INSERT INTO mappings (mapping_id, internal_id, entity_type, system, external_id, raw_external_id, state, origin)
     VALUES ($1, $2, $3, $4, $5, $6, 'linked', 'written_back')
     ON CONFLICT DO NOTHING
     RETURNING mappings.mapping_id`,
    [row.mapping_id, row.internal_id, row.entity_type, row.system, row.external_id, row.raw_external_id],
  );
}

/** Pending creates, oldest first, after a position. */
export function findPendingCreates(
  tx: Tx,
  filter: { readonly system: string | null; readonly after: string | null; readonly limit: number },
): Promise<Mapping[]> {
  return tx.query<Mapping>(
    `SELECT ${MAPPING_COLUMNS} FROM mappings
      WHERE mappings.external_id IS NULL AND ($1::text IS NULL OR mappings.system = $1)
        AND ($2::uuid IS NULL OR mappings.mapping_id > $2)
      ORDER BY mappings.mapping_id LIMIT $3`,
    [filter.system, filter.after, filter.limit],
  );
}
