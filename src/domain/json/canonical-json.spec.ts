import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { json, textOf } from '../../../test/support/arbitrary-json.js';
import { canonicalJson } from './canonical-json.js';
import { plantTree, type PlaceMark, type PointerTree } from './pointer-tree.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json } from './json.js';
import { readJson } from './read-json.js';
import { draws } from '../../../test/support/draws.js';

function marked(mark: PlaceMark, ...stretches: readonly (readonly string[])[]): PointerTree {
  return plantTree([{ stretches, mark }]);
}

function canonicalOf(text: string): string {
  return canonicalJson(readJson(text).value);
}

/** The same content printed by somebody else: members the other way round, numbers with another scale. */
function reprinted(value: Json): Json {
  if (value instanceof JsonNumber) return new JsonNumber(respelt(value.text));
  if (isJsonArray(value)) return value.map(reprinted);
  if (!isJsonObject(value)) return value;
  const members = [...value].map(([name, member]): [string, Json] => [name, reprinted(member)]);
  return new Map(members.reverse());
}

function respelt(text: string): string {
  const [mantissa = '', exponent] = text.split(/[eE]/);
  const scaled = mantissa.includes('.') ? `${mantissa}00` : `${mantissa}.00`;
  return exponent === undefined ? scaled : `${scaled}E${exponent}`;
}

const idAt = (...steps: readonly string[]): PointerTree => marked('id', steps);

describe('canonicalJson', () => {
  test('is one for all ways to print one value', () => {
    const printings = json.chain((value) => fc.tuple(fc.constant(value), textOf(reprinted(value))));
    fc.assert(
      fc.property(printings, ([value, text]) => {
        expect(canonicalOf(text)).toBe(canonicalJson(value));
      }),
      { numRuns: draws(2_000) },
    );
  });

  test.each([
    ['another number', '{"a":1}', '{"a":2}'],
    ['a number and its text', '{"a":1}', '{"a":"1"}'],
    ['another name', '{"a":1}', '{"b":1}'],
    ['null and nothing', '{"a":null}', '{}'],
    ['null and the word', '[null]', '["null"]'],
    ['a boolean and the word', '[true]', '["true"]'],
    ['another order in a list', '[1,2]', '[2,1]'],
    ['a list and an object', '[]', '{}'],
    ['a list in a list', '[[1],[2]]', '[[1,2]]'],
    ['other nesting', '{"a":{"b":1},"c":2}', '{"a":{"b":1,"c":2}}'],
    ['text that looks like what we write', '["1,2"]', '["1","2"]'],
    ['text that looks like a canonical instant', '"@1735689600000."', '"2025-01-01T00:00:00Z"'],
    ['an instant and the number of its milliseconds', '"2025-01-01T00:00:00.5Z"', '1735689600000.5'],
    ['letters in another case', '"a"', '"A"'],
    ['a blank more', '"a"', '"a "'],
    ['a date-time with more around it', '"at 2025-01-01T00:00:00Z"', '"at 2025-01-01T00:00:00.0Z"'],
    ['a date-time without zone', '"2025-01-01T00:00:00"', '"2025-01-01T00:00:00.0"'],
    ['a nanosecond', '"2025-01-01T00:00:00.000000001Z"', '"2025-01-01T00:00:00.000000002Z"'],
    ['digits beyond a double', '9007199254740992', '9007199254740993'],
  ])('tells apart: %s', (_what, a, b) => {
    expect(canonicalOf(a)).not.toBe(canonicalOf(b));
  });

  test.each([
    ['the scale of a number', '[1299.00]', '[1299]'],
    ['an exponent', '[1e2]', '[100.0]'],
    ['the sign of nothing', '[-0.0]', '[0]'],
    ['the zone of an instant', '"2025-01-01T08:00:00+08:00"', '"2025-01-01T00:00:00Z"'],
    ['the fraction of an instant', '"2025-01-01T00:00:00.100Z"', '"2025-01-01t00:00:00.1z"'],
    ['escapes', String.raw`"\u0041\/"`, '"A/"'],
    ['the order of members', '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}'],
  ])('does not depend on %s', (_what, a, b) => {
    expect(canonicalOf(a)).toBe(canonicalOf(b));
  });
});

describe('canonicalJson where an id stands', () => {
  const canonicalWithIds = (text: string, ids: PointerTree): string =>
    canonicalJson(readJson(text).value, { marks: ids, normalizeId: (id) => id.trim() });

  test.each([
    ['a number and its digits as text', '{"id":450789469}', '{"id":"450789469"}', idAt('id')],
    ['the same further inside', '{"a":{"id":7}}', '{"a":{"id":"7"}}', idAt('a', 'id')],
    ['the same in a list', '{"a":[{"id":7}]}', '{"a":[{"id":"7"}]}', idAt('a', '0', 'id')],
    ['a stray blank', '{"id":"C-1 "}', '{"id":" C-1"}', idAt('id')],
    // The key that is made of them is one, so the content must be one too: a copy would become a conflict.
    ['a number in two scales', '{"id":12.50}', '{"id":12.5}', idAt('id')],
    ['a number with and without a fraction', '{"id":100.00}', '{"id":"100"}', idAt('id')],
  ])('%s are one', (_what, a, b, ids) => {
    expect(canonicalWithIds(a, ids)).toBe(canonicalWithIds(b, ids));
  });

  test.each([
    ['another id', '{"id":1}', '{"id":2}', idAt('id')],
    ['leading zeros', '{"id":"007"}', '{"id":7}', idAt('id')],
    ['a date-time as an id is text', '{"id":"2025-01-01T00:00:00Z"}', '{"id":"2025-01-01T00:00:00.0Z"}', idAt('id')],
    ['text elsewhere', '{"id":1,"n":1}', '{"id":1,"n":"1"}', idAt('id')],
    ['the same name elsewhere', '{"a":{"id":1}}', '{"a":{"id":"1"}}', idAt('id')],
    ['an object there', '{"id":{"x":1}}', '{"id":{"x":"1"}}', idAt('id')],
  ])('%s are two', (_what, a, b, ids) => {
    expect(canonicalWithIds(a, ids)).not.toBe(canonicalWithIds(b, ids));
  });
});

test.each([
  ['a number and its digits', '{"n":12.50}', '{"n":"12.5"}', marked('key', ['n'])],
  [
    'two spellings of an instant',
    '{"t":"2025-01-01T00:00:00Z"}',
    '{"t":"2025-01-01T08:00:00+08:00"}',
    marked('key', ['t']),
  ],
  ['what is volatile, or not there', '{"a":1,"sent_at":1}', '{"a":1}', marked('volatile', ['sent_at'])],
  [
    'what is volatile in every element',
    '{"l":[{"a":1,"t":1},{"a":2,"t":1}]}',
    '{"l":[{"a":1},{"a":2,"t":3}]}',
    marked('volatile', ['l'], ['t']),
  ],
])('%s are one in a marked place', (_what, a, b, marks) => {
  const [one, other] = [a, b].map((text) => canonicalJson(readJson(text).value, { marks }));
  expect(one).toBe(other);
  expect(canonicalOf(a) === canonicalOf(b)).toBe(a.includes('2025'));
});
