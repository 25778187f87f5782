import type { Tx } from '../../platform/database/database.js';

/** The keys that stand in one of the scopes, counted up to `max`. */
export function countKeys(tx: Tx, scopes: readonly string[], max: number): Promise<number> {
  return count(
    tx,
    `SELECT count(*)::integer AS rows FROM (
       SELECT 1 FROM idempotency_keys keys WHERE keys.scope = ANY($1::text[]) LIMIT $2
     ) found`,
    [scopes, max],
  );
}

/** The external ids of a system, of one entity type unless that is null, counted up to `max`. */
export function countExternalIds(tx: Tx, system: string, entityType: string | null, max: number): Promise<number> {
  return count(
    tx,
    `SELECT count(*)::integer AS rows FROM (
       SELECT 1 FROM mappings
        WHERE mappings.system = $1 AND ($2::text IS NULL OR mappings.entity_type = $2)
          AND mappings.external_id IS NOT NULL LIMIT $3
     ) found`,
    [system, entityType, max],
  );
}

/**
 * The records of an entity type that hold an order value, counted up to `max`: that of the last event about the whole,
 * or those of patches, of elements and of references. Text that a sender wrote the same way is counted as well.
 */
export function countOrderedRecords(tx: Tx, entityType: string, max: number): Promise<number> {
  return count(
    tx,
    `SELECT count(*)::integer AS rows FROM (
       SELECT 1 FROM records WHERE records.entity_type = $1
          AND (records.order_value IS NOT NULL OR records.existence_clock IS NOT NULL OR records.field_clocks <> '{}'
               OR strpos(records.merged, $3) > 0 OR strpos(records.refs, $3) > 0)
        LIMIT $2
     ) found`,
    [entityType, max, '"order":"'],
  );
}

/**
 * The records of an entity type with something that a merge rule made of the field, counted up to `max`. Looked for as
 * text, because PostgreSQL cannot read all JSON: \u0000 may stand in an element.
 */
export function countMergedRecords(tx: Tx, entityType: string, field: string, max: number): Promise<number> {
  return count(
    tx,
    `SELECT count(*)::integer AS rows FROM (
       SELECT 1 FROM records WHERE records.entity_type = $1 AND strpos(records.merged, $2) > 0 LIMIT $3
     ) found`,
    [entityType, `${JSON.stringify(field)}:{"kind":"`, max],
  );
}

/** The entities of a type that are in the state, counted up to `max`; one that no event moved yet is in none. */
export function countEntitiesInState(tx: Tx, entityType: string, state: string, max: number): Promise<number> {
  return count(
    tx,
    `SELECT count(*)::integer AS rows FROM (
       SELECT 1 FROM entities WHERE entities.entity_type = $1 AND entities.state = $2 LIMIT $3
     ) found`,
    [entityType, state, max],
  );
}

export interface ExternalIdRow {
  readonly entity_type: string;
  readonly external_id: string;
  readonly raw_external_id: string;
}

/** A page of a system's external ids, in their order; `after` is the last one of the former page. */
export function listExternalIds(
  tx: Tx,
  system: string,
  after: Pick<ExternalIdRow, 'entity_type' | 'external_id'>,
  limit: number,
): Promise<ExternalIdRow[]> {
  return tx.query<ExternalIdRow>(
    `SELECT mappings.entity_type, mappings.external_id,
            coalesce(mappings.raw_external_id, mappings.external_id) AS raw_external_id
       FROM mappings
      WHERE mappings.system = $1 AND mappings.external_id IS NOT NULL
        AND (mappings.entity_type, mappings.external_id) > ($2, $3)
      ORDER BY mappings.entity_type, mappings.external_id LIMIT $4`,
    [system, after.entity_type, after.external_id, limit],
  );
}

async function count(tx: Tx, statement: string, values: readonly unknown[]): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(statement, values);
  return row?.rows ?? 0;
}
