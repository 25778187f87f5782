import type { EntityType, OrderBy } from './contract/contract.js';
import type { Json, JsonObject } from './json/json.js';
import { latestIn, type ClockTree, type FieldClock } from './field-clock.js';
import type { SourceRecord } from './source-record.js';

/** A record with what its place among others depends on. One that is deleted has no data and so contributes nothing. */
export interface ComposableRecord extends Omit<SourceRecord, 'contentHash' | 'isTombstone'> {
  readonly source: string;
  readonly system: string;
  readonly externalId: string;
}

/**
 * The thing itself, from what its sources say: each field comes from the first owner in the entity type's list whose
 * record has it, or from the record in which it was written last. The result depends on the records alone, not on the
 * order in which they arrived.
 */
export function composeEntity(records: readonly ComposableRecord[], { compose, orderBy }: EntityType): JsonObject {
  const sorted = newestFirst(records);
  const recordsOf = (owners: readonly string[]): ComposableRecord[] =>
    owners.flatMap((owner) => sorted.filter((record) => record.source === owner));
  const composed = new Map<string, Json>();
  for (const { data } of recordsOf(compose.default)) {
    for (const [field, value] of data) {
      if (!compose.fields.has(field) && !composed.has(field)) composed.set(field, value);
    }
  }
  for (const [field, owners] of compose.fields) {
    const candidates = recordsOf(owners === 'latest' ? compose.default : owners).filter(({ data }) => data.has(field));
    const winner = owners === 'latest' ? lastWritten(candidates, field, orderBy) : candidates[0];
    const value = winner?.data.get(field);
    if (value !== undefined) composed.set(field, value);
  }
  return composed;
}

/** Systems' names break the tie, whatever their place in the list. */
function lastWritten(
  records: readonly ComposableRecord[],
  field: string,
  orderBy: OrderBy,
): ComposableRecord | undefined {
  const bySystem = [...records].sort(({ source: a }, { source: b }) => (a < b ? -1 : Number(a > b)));
  let winner: ComposableRecord | undefined;
  let newest = NEVER;
  for (const record of bySystem) {
    const at = writtenAt(record, field, orderBy);
    if (winner !== undefined && at <= newest) continue;
    [winner, newest] = [record, at];
  }
  return winner;
}

/** When the event happened that wrote the field last, by the order of the record. */
function writtenAt(
  { merged, clocks, occurredAt, orderValue }: ComposableRecord,
  field: string,
  orderBy: OrderBy,
): bigint {
  const timeOf = ({ at, order }: FieldClock): bigint => at ?? (orderBy === 'occurred_at' ? order : NEVER);
  const state = merged.get(field);
  if (state !== undefined) return state.kind === 'latest' ? timeOf(state.clock) : (state.at ?? NEVER);
  const tree = clocks.members.get(field);
  const patchedAt = tree === undefined ? NEVER : newestIn(tree, timeOf);
  if (tree?.written !== undefined) return patchedAt;
  const wholeAt = occurredAt ?? (orderBy === 'occurred_at' ? orderValue : undefined) ?? NEVER;
  return wholeAt > patchedAt ? wholeAt : patchedAt;
}

function newestIn({ written, opened, members }: ClockTree, timeOf: (clock: FieldClock) => bigint): bigint {
  const own = [written, opened].flatMap((clock) => (clock === undefined ? [] : [timeOf(clock)]));
  const below = [...members.values()].map((tree) => newestIn(tree, timeOf));
  return [...own, ...below].reduce((newest, at) => (at > newest ? at : newest), NEVER);
}

/** Older than every instant that an event may carry. */
const NEVER = -(2n ** 63n);

/** Among several records of one source (aliases) the one with the newest word speaks first; ids break the tie. */
function newestFirst(records: readonly ComposableRecord[]): readonly ComposableRecord[] {
  const dated = records.map((record) => ({
    record,
    order: newestOrder(record),
    id: `${record.system}:${record.externalId}`,
  }));
  dated.sort((a, b) => {
    if (a.order !== b.order) return a.order > b.order ? -1 : 1;
    return a.id < b.id ? -1 : Number(a.id > b.id);
  });
  return dated.map(({ record }) => record);
}

/** Of the last event about the whole record, or of a patch that came after it: many records are only ever patched. */
function newestOrder({ orderValue = -1n, clocks }: ComposableRecord): bigint {
  const patched = latestIn(clocks)?.order ?? -1n;
  return patched > orderValue ? patched : orderValue;
}
