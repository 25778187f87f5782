import type { InternalId } from './ids.js';

/** Another entity that a record refers to. */
export interface RecordReference {
  /** The place in the payload that named it, as a JSON Pointer. */
  readonly path: string;
  readonly entityType: string;
  readonly internalId: InternalId;
}

/** What was said about the places of one rule, and when. */
export interface DatedReferences {
  readonly references: readonly RecordReference[];
  /** Order value of the event that said so; undefined where it carried none. */
  readonly order: bigint | undefined;
  /** Breaks ties the same way everywhere; a replacement has the smallest, so that a patch of the same date wins. */
  readonly key: string;
}

/** By the path of the rule. */
export type RecordReferences = ReadonlyMap<string, DatedReferences>;

/**
 * The references of a record after an event, rule by rule: what is dated later stays, whichever came first. Without
 * order value an event counts as fresh and is dated like what it replaces. The very map that was held comes back where
 * nothing changes.
 */
export function mergeReferences(held: RecordReferences, said: RecordReferences): RecordReferences {
  const merged = new Map(held);
  let isChanged = false;
  for (const [rule, news] of said) {
    const former = held.get(rule);
    const dated = { ...news, order: news.order ?? former?.order };
    if (former !== undefined && (!isLater(news, former) || isSame(dated, former))) continue;
    merged.set(rule, dated);
    isChanged = true;
  }
  return isChanged ? merged : held;
}

function isLater(news: DatedReferences, former: DatedReferences): boolean {
  if (news.order === undefined || former.order === undefined) return true;
  // Two replacements of one date come here only where the later arrival counts.
  return news.order === former.order ? news.key >= former.key : news.order > former.order;
}

function isSame(one: DatedReferences, other: DatedReferences): boolean {
  const told = ({ order, key, references }: DatedReferences): string =>
    JSON.stringify([String(order), key, references.map(({ path, internalId }) => [path, internalId])]);
  return told(one) === told(other);
}

interface StoredReferences {
  readonly order?: string | undefined;
  readonly key: string;
  readonly refs: readonly { readonly path: string; readonly entity_type: string; readonly internal_id: InternalId }[];
}

/** JSON, as it is kept with the record; null where there are none. */
export function writeReferences(references: RecordReferences): string | null {
  if (references.size === 0) return null;
  const stored = [...references].map(([rule, dated]): [string, StoredReferences] => [
    rule,
    {
      ...(dated.order === undefined ? {} : { order: String(dated.order) }),
      key: dated.key,
      refs: dated.references.map(({ path, entityType, internalId }) => ({
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
        order: order === undefined ? undefined : BigInt(order),
        key,
        references: refs.map((ref) => ({ path: ref.path, entityType: ref.entity_type, internalId: ref.internal_id })),
      },
    ]),
  );
}

export const NO_REFERENCES: RecordReferences = new Map();
