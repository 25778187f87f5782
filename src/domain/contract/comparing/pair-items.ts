import type { Place } from '../reading/place.js';
import { written } from './written.js';

export interface PairedItems {
  readonly pairs: readonly (readonly [before: Place, after: Place])[];
  readonly removed: readonly Place[];
  readonly added: readonly Place[];
}

/**
 * Which item of a list became which: those that say the same, then rules with the same conditions, with the same event
 * type and key, with the same event type; access keys and schemes by their names. Positions say nothing, because a new
 * rule may stand above the others.
 */
export function pairItems(before: readonly Place[], after: readonly Place[]): PairedItems {
  const removed = new Set(before);
  const added = new Set(after);
  const pairs: [Place, Place][] = [];
  for (const likeness of LIKENESSES) {
    for (const newer of added) {
      const wanted = likeness(newer);
      const former = wanted === undefined ? undefined : [...removed].find((item) => likeness(item) === wanted);
      if (former === undefined) continue;
      removed.delete(former);
      added.delete(newer);
      pairs.push([former, newer]);
    }
  }
  return { pairs, removed: [...removed], added: [...added] };
}

const LIKENESSES: readonly ((item: Place) => string | undefined)[] = [
  written,
  conditions,
  (item) => textAt(item, 'event_type', 'idempotency_key'),
  (item) => textAt(item, 'event_type'),
  (item) => textAt(item, 'name'),
  (item) => textAt(item, 'scheme'),
];

/** A rule without conditions reads whatever is left, just as one with an empty list of them. */
function conditions(item: Place): string | undefined {
  return item.has('event_type') ? (textAt(item, 'when') ?? '{}') : undefined;
}

/** Undefined where one of the keys is absent: items are not alike for what both lack. */
function textAt(item: Place, ...keys: readonly string[]): string | undefined {
  const texts = keys.map((key) => item.at(key)).flatMap((place) => (place === undefined ? [] : [written(place)]));
  return texts.length === keys.length ? texts.join(' ') : undefined;
}
