import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../domain/json/json.js';
import type { SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide, Strategy } from './decision.js';
import { ignoreRepeats } from './ignore.js';
import { merge } from './merge.js';
import { deleteBy, overwriteBy } from './overwrite.js';

/** A large body. Were its object copied for each of its fields, a single event would take minutes. */
const FLAT = 20_000;
const WIDE = 6_000;
const DEEP = 60;

const fieldsOf = (value: Json, count: number): JsonObject =>
  new Map(Array.from({ length: count }, (_, at): [string, Json] => [`field-${String(at)}`, value]));

/** Objects in objects, with some fields beside each. */
const nestedFields = (value: Json): JsonObject => {
  let fields = fieldsOf(value, WIDE / DEEP);
  for (let depth = 1; depth < DEEP; depth++) fields = new Map<string, Json>([...fieldsOf(value, WIDE / DEEP), ['below', fields]]); // prettier-ignore
  return fields;
};

const SHAPES: readonly (readonly [string, (value: Json) => JsonObject])[] = [
  ['fields', (value) => fieldsOf(value, FLAT)],
  ['members of one field', (value) => new Map([['only', fieldsOf(value, WIDE)]])],
  ['fields with a member each', (value) => fieldsOf(new Map([['only', value]]), WIDE)],
  ['nested fields', nestedFields],
];

function event(order: bigint | undefined, fields: JsonObject): EventToDecide {
  const said = { fields, shares: new Map(), contentHash: `hash-${String(order)}` };
  return { key: `k${String(order)}`, orderValue: order, occurredAt: undefined, ...said };
}

function applied(strategy: Strategy, said: EventToDecide, current?: SourceRecord): SourceRecord {
  const decision = strategy(said, current);
  if (decision.kind !== 'apply') throw new Error(`The event was ${decision.kind}.`);
  return decision.record;
}

/** Not by `toEqual`, which takes its time with objects of this size. */
function expectContent(record: SourceRecord, expected: JsonObject): void {
  expect(isSame(record.data, expected)).toBe(true);
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (!(one instanceof Map) || !(other instanceof Map)) return one === other;
  const [a, b] = [one as JsonObject, other as JsonObject];
  return a.size === b.size && [...a].every(([name, value]) => isSame(value, b.get(name)));
}

describe.each(SHAPES)('a large body with many %s', (_what, fields) => {
  test.each([
    ['ignore', ignoreRepeats],
    ['merge', merge],
  ])('is patched in by `%s`, and once more with a later date or without one', (_name, strategy) => {
    for (const orders of [
      [1n, 2n],
      [undefined, undefined],
      [2n, undefined],
    ] as const) {
      const first = applied(strategy, event(orders[0], fields('first')));
      expectContent(applied(strategy, event(orders[1], fields('second')), first), fields('second'));
    }
  });

  test.each([
    ['ignore', ignoreRepeats],
    ['merge', merge],
  ])('that `%s` patched in outlives an older whole record and an older delete', (_name, strategy) => {
    const patched = applied(strategy, event(2n, fields('patched')));
    const replaced = applied(overwriteBy('conflict'), event(1n, fields('whole')), patched);
    expectContent(replaced, fields('patched'));
    expectContent(applied(deleteBy('arrival'), event(1n, new Map()), replaced), fields('patched'));
  });

  test('replaces and deletes what was patched in', () => {
    const patched = applied(merge, event(1n, fields('patched')));
    const replaced = applied(overwriteBy('conflict'), event(2n, fields('whole')), patched);
    expectContent(replaced, fields('whole'));
    expectContent(applied(deleteBy('conflict'), event(3n, new Map()), replaced), new Map());
  });
});
