import type { EntityType } from './contract/contract.js';
import type { Json, JsonObject } from './json/json.js';

/** A record with what its place among others depends on. */
export interface ComposableRecord {
  readonly source: string;
  readonly system: string;
  readonly externalId: string;
  readonly orderValue: bigint | undefined;
  readonly data: JsonObject;
}

/**
 * The thing itself, from what its sources say: each field comes from the first owner in the entity type's list whose
 * record has it. The result depends on the records alone, not on the order in which they arrived.
 */
export function composeEntity(records: readonly ComposableRecord[], { compose }: EntityType): JsonObject {
  const sorted = [...records].sort(newestFirst);
  const recordsOf = (owners: readonly string[]): ComposableRecord[] =>
    owners.flatMap((owner) => sorted.filter((record) => record.source === owner));
  const composed = new Map<string, Json>();
  for (const { data } of recordsOf(compose.default)) {
    for (const [field, value] of data) {
      if (!compose.fields.has(field) && !composed.has(field)) composed.set(field, value);
    }
  }
  for (const [field, owners] of compose.fields) {
    const value = recordsOf(owners)
      .find((record) => record.data.has(field))
      ?.data.get(field);
    if (value !== undefined) composed.set(field, value);
  }
  return composed;
}

/** Among several records of one source (aliases) the newest speaks first; ids break the tie. */
function newestFirst(a: ComposableRecord, b: ComposableRecord): number {
  const [orderA, orderB] = [a.orderValue ?? -1n, b.orderValue ?? -1n];
  if (orderA !== orderB) return orderA > orderB ? -1 : 1;
  const [idA, idB] = [`${a.system}:${a.externalId}`, `${b.system}:${b.externalId}`];
  return idA < idB ? -1 : Number(idA > idB);
}
