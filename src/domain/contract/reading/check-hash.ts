import type { EventRule } from '../contract.js';
import { isSamePlace, type Selector } from '../selector.js';
import { selectorsOf } from '../template.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

/**
 * A key made of a digest tells contents apart, not facts: when a record goes from A to B and back to A, the third body
 * is the first one again and would be taken for its copy. It needs the record's order beside it, or an event type for
 * which a repeat means nothing.
 */
export function checkHash(reading: Reading, place: Place, rule: EventRule): void {
  const holes = selectorsOf(rule.idempotencyKey);
  const key = place.at('idempotency_key');
  if (key === undefined || !holes.some(({ kind }) => kind === 'hash')) return;
  if (reading.root.at('events')?.at(rule.eventType)?.at('strategy')?.text() === 'ignore') return;
  const ordering: readonly Selector[] = [rule.version, rule.occurredAt?.from].flatMap((template) =>
    template === undefined ? [] : selectorsOf(template),
  );
  if (holes.some((hole) => ordering.some((order) => isSamePlace(hole, order)))) return;
  reading.mistakes.atValue(
    key,
    '`{hash}` is the same when a record comes back to a former state, and that event would be lost; ' +
      'put the place of `version` or `occurred_at` beside it',
  );
}
