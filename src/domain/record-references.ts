import type { FieldClock } from './field-clock.js';
import type { InternalId } from './ids.js';

/** Another entity that a record refers to. */
export interface RecordReference {
  /** The place in the payload that named it, as a JSON Pointer. */
  readonly path: string;
  readonly entityType: string;
  readonly internalId: InternalId;
}

/** What was said last about the places of one rule. */
export interface DatedReferences {
  readonly references: readonly RecordReference[];
  /** Of the patch that said so; undefined where an event about the whole record did, or nothing dates it. */
  readonly clock: FieldClock | undefined;
}

/** By the path of the rule. */
export type RecordReferences = ReadonlyMap<string, DatedReferences>;

interface StoredReferences {
  readonly order?: string | undefined;
  readonly key?: string | undefined;
  readonly refs: readonly { readonly path: string; readonly entity_type: string; readonly internal_id: InternalId }[];
}

/** JSON, as it is kept with the record; null where there are none. */
export function writeReferences(references: RecordReferences): string | null {
  if (references.size === 0) return null;
  const stored = [...references].map(([rule, { clock, references: list }]): [string, StoredReferences] => [
    rule,
    {
      ...(clock && { order: String(clock.order), key: clock.key }),
      refs: list.map(({ path, entityType, internalId }) => ({
        path,
        entity_type: entityType,
        internal_id: internalId,
      })),
    },
  ]);
  return JSON.stringify(Object.fromEntries(stored));
}

export function parseReferences(text: string | null): RecordReferences {
  if (text === null) return NO_REFERENCES;
  const stored = Object.entries(JSON.parse(text) as Record<string, StoredReferences>);
  return new Map(
    stored.map(([rule, { order, key, refs }]): [string, DatedReferences] => [
      rule,
      {
        clock: order === undefined || key === undefined ? undefined : { order: BigInt(order), key },
        references: refs.map((ref) => ({ path: ref.path, entityType: ref.entity_type, internalId: ref.internal_id })),
      },
    ]),
  );
}

export const NO_REFERENCES: RecordReferences = new Map();
