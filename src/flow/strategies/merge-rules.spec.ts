import { describe, expect, test } from '@jest/globals';
import type { MergeRule } from '../../domain/contract/contract.js';
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

test('the time of a field is that of the newest event that had a share in it', () => {
  const event = (at: bigint) => ({ key: 'k', orderValue: at, occurredAt: at, fields: new Map(), shares: new Map(), contentHash: '' }); // prettier-ignore
  const one = readJson('1').value;
  const first = absorb(undefined, { rule: SUM, value: one }, event(9n));
  expect(first === 'stale' ? first : absorb(first, { rule: SUM, value: one }, event(3n))).toMatchObject({ at: 9n });
});
