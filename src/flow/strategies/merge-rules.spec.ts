import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MergeRule } from '../../domain/contract/contract.js';
import { JsonNumber } from '../../domain/json/json.js';
import { readJson } from '../../domain/json/read-json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { valueOf, type MergedField } from '../../domain/merged-field.js';
import { absorb } from './merge-rules.js';

const SUM: MergeRule = { kind: 'sum', pointer: { source: '/delta', steps: ['delta'] } };
const NOTES: MergeRule = { kind: 'append_unique_by', id: 'note_id' };

/** What the field shows after these values, each said by an event with the order value in front of it. */
function after(rule: MergeRule, said: readonly (readonly [order: number | undefined, value: string])[]): string {
  let field: MergedField | undefined;
  for (const [at, [order, text]] of said.entries()) {
    const event = {
      key: `k${String(at)}`,
      orderValue: order === undefined ? undefined : BigInt(order),
      occurredAt: undefined,
      fields: new Map(),
      shares: new Map(),
      contentHash: '',
    };
    const absorbed = absorb(field, { rule, value: readJson(text).value }, event);
    if (absorbed !== 'stale') field = absorbed;
  }
  return field === undefined ? 'nothing' : writeJson(valueOf(field));
}

describe('a field with the rule', () => {
  test.each<[string, MergeRule, [number | undefined, string][], string]>([
    ['sum adds exactly', SUM, [[1, '0.1'], [2, '0.2']], '0.3'],
    ['sum takes digits as text', SUM, [[1, '"1.50"'], [2, '-1']], '0.50'],
    ['max compares by value', { kind: 'max' }, [[1, '9'], [2, '10'], [3, '9007199254740993'], [4, '9007199254740992']], '9007199254740993'],
    ['max keeps the latest instant', { kind: 'max' }, [[1, '"2025-01-01T12:00:00+08:00"'], [2, '"2025-01-01T05:00:00Z"']], '"2025-01-01T05:00:00Z"'],
    ['min', { kind: 'min' }, [[1, '3'], [2, '-1.5'], [3, '0']], '-1.5'],
    ['union keeps each value once, whatever its spelling', { kind: 'union' }, [[1, '["a",1]'], [2, '[1.0,"b","a"]']], '["a",1.0,"b"]'],
    ['union sorts by first appearance in the order of the events', { kind: 'union' }, [[2, '["b"]'], [1, '["a","b"]']], '["a","b"]'],
    ['latest takes the newest as a whole', { kind: 'latest' }, [[2, '{"x":1}'], [1, '{"y":2}']], '{"x":1}'],
    ['append takes an id as text or number', NOTES, [[1, '[{"note_id":7,"t":"a"}]'], [2, '{"note_id":"7","t":"b"}']], '[{"note_id":"7","t":"b"}]'],
    ['append keeps the newer content when the older comes later', NOTES, [[2, '[{"note_id":7,"t":"b"}]'], [1, '[{"note_id":7,"t":"a"}]']], '[{"note_id":7,"t":"b"}]'],
    ['append tells long ids apart by every digit', NOTES, [[1, '[{"note_id":9007199254740993}]'], [2, '[{"note_id":9007199254740992}]']], '[{"note_id":9007199254740993},{"note_id":9007199254740992}]'],
    ['append goes by arrival where nothing is dated', NOTES, [[undefined, '[{"note_id":2}]'], [undefined, '[{"note_id":1}]']], '[{"note_id":2},{"note_id":1}]'],
  ])('%s', (_what, rule, said, expected) => { expect(after(rule, said)).toBe(expected); }); // prettier-ignore

  test.each<[MergeRule, string]>([
    [SUM, 'null'],
    [SUM, '"many"'],
    [SUM, '1e100000'],
    [SUM, '1e1000'],
    [SUM, '1e-1001'],
    [{ kind: 'max' }, '"high"'],
    [{ kind: 'min' }, '[1]'],
    [NOTES, '["text"]'],
    [NOTES, '[{"id":1}]'],
    [NOTES, '[{"note_id":null}]'],
  ])('%j cannot use %s', (rule, value) => {
    expect(() => after(rule, [[1, value]])).toThrow(expect.objectContaining({ code: 'merge.unusable' }));
  });

  test('that the contract no longer gives it is begun anew', () => {
    const event = {
      key: 'k',
      orderValue: 1n,
      occurredAt: undefined,
      fields: new Map(),
      shares: new Map(),
      contentHash: '',
    };
    const held: MergedField = { kind: 'max', value: readJson('5').value };
    expect(absorb(held, { rule: SUM, value: readJson('2').value }, event)).toMatchObject({ total: { text: '2' } });
  });
});

describe('a sum of numbers with extreme exponents', () => {
  const summand = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom('0', '1', '9', '9'.repeat(999), '0.5', `0.${'0'.repeat(998)}1`, '12.34'),
      fc.oneof(fc.integer({ min: -2_100, max: 2_100 }), fc.constantFrom(0, -999, 998, 999, -1_000, 1_000, 1e9, -1e9)),
    )
    .map(([sign, digits, exponent]) => `${sign}${digits}e${String(exponent)}`);
  const summands = fc.array(summand, { minLength: 1, maxLength: 8 });

  /** What stands there after these, each of which the rule takes or refuses. */
  function totalOf(texts: readonly string[]): string {
    let field: MergedField | undefined;
    for (const text of texts) field = taken(field, text) ?? field;
    return field === undefined ? 'nothing' : writeJson(valueOf(field));
  }

  function taken(field: MergedField | undefined, text: string): MergedField | undefined {
    const event = { key: 'k', orderValue: 1n, occurredAt: undefined, fields: new Map(), shares: new Map(), contentHash: '' }; // prettier-ignore
    try {
      const absorbed = absorb(field, { rule: SUM, value: readJson(text).value }, event);
      return absorbed === 'stale' ? undefined : absorbed;
    } catch (error) {
      expect(error).toMatchObject({ code: 'merge.unusable' });
      return undefined;
    }
  }

  test('is taken or refused by itself, whatever stands there, and so ends the same in any order', () => {
    fc.assert(
      fc.property(summands.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))), ([all, other]) => {
        expect(totalOf(other)).toBe(totalOf(all));
        expect(totalOf(all)).toBe(totalOf(all.filter((text) => taken(undefined, text) !== undefined)));
      }),
      { numRuns: 300 },
    ); // prettier-ignore
  });

  test('never ends in a total to which the next event cannot add', () => {
    fc.assert(
      fc.property(summands, (all) => {
        expect(totalOf([...all, '1', '-1'])).not.toBe('nothing');
        expect(totalOf([...all, '1e998', '-1e998', '5e-999', '-5e-999', ...all])).toBe(
          totalOf([...all, ...all, '0e-999']),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('goes on from a total that was stored with more digits than a single event may add', () => {
    const total = new JsonNumber(`1${'0'.repeat(1_500)}.${'0'.repeat(1_500)}`);
    expect(taken({ kind: 'sum', total }, '2')).toMatchObject({
      total: { text: `1${'0'.repeat(1_499)}2.${'0'.repeat(1_500)}` },
    });
  });

  test('is refused where the total itself would become too long, and the total stays', () => {
    const total = new JsonNumber('9'.repeat(10_000));
    expect(taken({ kind: 'sum', total }, '1')).toBeUndefined();
    expect(taken({ kind: 'sum', total }, '-1')).toMatchObject({ total: { text: `${'9'.repeat(9_999)}8` } });
  });
});

test('the time of a field is that of the newest event that had a share in it', () => {
  const event = (at: bigint) => ({ key: 'k', orderValue: at, occurredAt: at, fields: new Map(), shares: new Map(), contentHash: '' }); // prettier-ignore
  const one = readJson('1').value;
  const first = absorb(undefined, { rule: SUM, value: one }, event(9n));
  expect(first === 'stale' ? first : absorb(first, { rule: SUM, value: one }, event(3n))).toMatchObject({ at: 9n });
});

test('a list has an end: what would make it longer is unusable, and the list stays', () => {
  const list = (from: number, length: number): string => JSON.stringify(Array.from({ length }, (_, at) => from + at));
  const union: MergeRule = { kind: 'union' };
  expect(() =>
    after(union, [
      [1, list(0, 10_000)],
      [2, '[9999]'],
    ]),
  ).not.toThrow();
  expect(() =>
    after(union, [
      [1, list(0, 10_000)],
      [2, '["one more"]'],
    ]),
  ).toThrow(/more than 10000 elements/);
});
