import type { InternalId } from '../../domain/ids.js';
import type { Tx } from '../../platform/database/database.js';
import type { EntityRow, EntityView, RecordRow } from './entity-view.js';

/** The entities, locked until the transaction ends, in one order everywhere. Missing rows do not exist yet. */
export function lockEntities(tx: Tx, internalIds: readonly InternalId[]): Promise<EntityRow[]> {
  return tx.query<EntityRow>(
    `SELECT entities.internal_id, entities.entity_type, entities.revision, entities.data,
            entities.is_deleted, entities.state, entities.path
       FROM entities WHERE entities.internal_id = ANY($1::uuid[])
      ORDER BY entities.internal_id
        FOR UPDATE`,
    [internalIds],
  );
}

/**
 * Takes the locks of entities that do not exist yet, until the transaction ends: an id may be known before its first
 * record comes. Read them again in a later statement, for somebody may have made them meanwhile.
 */
export async function lockUnborn(tx: Tx, internalIds: readonly InternalId[]): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(locks.number)
       FROM (SELECT DISTINCT hashtextextended(id::text, 1) AS number FROM unnest($1::uuid[]) AS id ORDER BY number) locks`,
    [internalIds],
  );
}

/** All records of the entities. Hold the entities' locks: they protect the records too. */
export function findRecordsOf(tx: Tx, internalIds: readonly InternalId[]): Promise<RecordRow[]> {
  return tx.query<RecordRow>(
    `SELECT records.source, records.system, records.entity_type, records.external_id, records.internal_id,
            records.order_value, records.occurred_at_micros, records.content_hash, records.is_tombstone,
            records.field_clocks, records.existence_clock, records.merged, records.data, records.refs,
            records.last_event_id
       FROM records WHERE records.internal_id = ANY($1::uuid[])`,
    [internalIds],
  );
}

export async function saveRecords(tx: Tx, rows: readonly RecordRow[]): Promise<void> {
  await tx.query(
    `INSERT INTO records (source, system, entity_type, external_id, internal_id, order_value, occurred_at_micros,
                          content_hash, is_tombstone, field_clocks, existence_clock, merged, data, refs, last_event_id)
     SELECT row.source, row.system, row.entity_type, row.external_id, row.internal_id, row.order_value,
            row.occurred_at_micros, row.content_hash, row.is_tombstone, row.field_clocks, row.existence_clock,
            row.merged, row.data, row.refs, row.last_event_id
       FROM jsonb_to_recordset($1::jsonb) AS row (source text, system text, entity_type text, external_id text,
            internal_id uuid, order_value numeric, occurred_at_micros numeric, content_hash text, is_tombstone boolean,
            field_clocks text, existence_clock text, merged text, data text, refs text, last_event_id uuid)
      ORDER BY row.system, row.entity_type, row.external_id, row.source
     ON CONFLICT (system, entity_type, external_id, source) DO UPDATE
        SET internal_id = EXCLUDED.internal_id, order_value = EXCLUDED.order_value,
            occurred_at_micros = EXCLUDED.occurred_at_micros, content_hash = EXCLUDED.content_hash,
            is_tombstone = EXCLUDED.is_tombstone, field_clocks = EXCLUDED.field_clocks,
            existence_clock = EXCLUDED.existence_clock, merged = EXCLUDED.merged, data = EXCLUDED.data,
            refs = EXCLUDED.refs, last_event_id = EXCLUDED.last_event_id, updated_at = now()`,
    [JSON.stringify(rows)],
  );
}

/** Saves composed entities. Their rows are locked, or new and known to nobody else yet. */
export async function saveEntities(
  tx: Tx,
  rows: readonly (Omit<EntityRow, 'revision'> & { readonly revision: string })[],
): Promise<void> {
  await tx.query(
    `INSERT INTO entities (internal_id, entity_type, revision, data, is_deleted, state, path)
     SELECT row.internal_id, row.entity_type, row.revision, row.data, row.is_deleted, row.state, row.path
       FROM jsonb_to_recordset($1::jsonb) AS row (internal_id uuid, entity_type text, revision bigint, data text,
                                                  is_deleted boolean, state text, path text)
      ORDER BY row.internal_id
     ON CONFLICT (internal_id) DO UPDATE
        SET revision = EXCLUDED.revision, data = EXCLUDED.data, is_deleted = EXCLUDED.is_deleted,
            state = EXCLUDED.state, path = EXCLUDED.path, updated_at = now()`,
    [JSON.stringify(rows)],
  );
}

/** One entity as it is now, without a lock. */
export function findEntity(tx: Tx, internalId: InternalId): Promise<EntityView[]> {
  return tx.query<EntityView>(
    `SELECT entities.internal_id, entities.entity_type, entities.revision, entities.data, entities.is_deleted,
            entities.state, entities.path, entities.created_at, entities.updated_at
       FROM entities WHERE entities.internal_id = $1`,
    [internalId],
  );
}

export function findStates(
  tx: Tx,
  internalIds: readonly InternalId[],
): Promise<{ readonly internal_id: InternalId; readonly state: string }[]> {
  return tx.query(
    `SELECT entities.internal_id, entities.state FROM entities
      WHERE entities.internal_id = ANY($1::uuid[]) AND entities.state IS NOT NULL`,
    [internalIds],
  );
}
