import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../domain/json/json.js';
import type { FieldClock } from '../../domain/field-clock.js';
import { EMPTY_RECORD, type SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide } from './decision.js';
import { ignoreRepeats, ignoreRepeatsApplyNone } from './ignore.js';

function patch(
  fields: Readonly<Record<string, Json>>,
  { order, key = 'k' }: { readonly order?: bigint; readonly key?: string } = {},
): EventToDecide {
  const said = { fields: new Map(Object.entries(fields)), shares: new Map(), contentHash: '' };
  return { key, orderValue: order, occurredAt: undefined, ...said };
}

const record = (
  data: Readonly<Record<string, Json>>,
  clocks: Readonly<Record<string, FieldClock>> = {},
  orderValue?: bigint,
): SourceRecord => ({
  ...EMPTY_RECORD,
  data: new Map(Object.entries(data)),
  orderValue,
  contentHash: orderValue === undefined ? undefined : 'hash',
  clocks: {
    members: new Map(Object.entries(clocks).map(([field, written]) => [field, { written, members: new Map() }])),
  },
});

describe('ignore', () => {
  test('patches the fields of the first copy in and leaves the others', () => {
    const decision = ignoreRepeats(patch({ status: 'PAID' }), record({ status: 'OPEN', total: '1' }));
    expect(decision).toEqual({ kind: 'apply', record: record({ status: 'PAID', total: '1' }) });
  });

  test('makes a record where there is none', () => {
    expect(ignoreRepeats(patch({ status: 'PAID' }), undefined)).toEqual({
      kind: 'apply',
      record: record({ status: 'PAID' }),
    });
  });

  test('applies an event without fields, so that the thing exists', () => {
    expect(ignoreRepeats(patch({}), undefined)).toEqual({ kind: 'apply', record: record({}) });
  });

  test('dates what it wrote', () => {
    expect(ignoreRepeats(patch({ a: '1' }, { order: 7n }), undefined)).toEqual({
      kind: 'apply',
      record: record({ a: '1' }, { a: { order: 7n, key: 'k' } }),
    });
  });

  test('judges field by field: what a later event wrote stays', () => {
    const current = record({ a: 'late', b: 'early' }, { a: { order: 9n, key: 'x' }, b: { order: 5n, key: 'x' } });
    expect(ignoreRepeats(patch({ a: 'new', b: 'new' }, { order: 7n }), current)).toEqual({
      kind: 'apply',
      record: record({ a: 'late', b: 'new' }, { a: { order: 9n, key: 'x' }, b: { order: 7n, key: 'k' } }),
    });
  });

  test('is stale where every field was written later, by a patch or by a whole record', () => {
    const stale = { kind: 'stale' };
    expect(ignoreRepeats(patch({ a: '1' }, { order: 7n }), record({ a: '2' }, { a: { order: 8n, key: 'x' } }))).toEqual(
      stale,
    );
    expect(ignoreRepeats(patch({ a: '1' }, { order: 7n }), record({ a: '2' }, {}, 8n))).toEqual(stale);
    // A field that the newer whole record does not have was taken away by it.
    expect(ignoreRepeats(patch({ b: '1' }, { order: 7n }), record({ a: '2' }, {}, 8n))).toEqual(stale);
  });

  test.each([
    ['the greater key wins a tie', 'b', 'apply'],
    ['the smaller key loses it', '0', 'stale'],
  ])('%s', (_what, key, kind) => {
    const current = record({ a: '1' }, { a: { order: 7n, key: 'a' } });
    expect(ignoreRepeats(patch({ a: '2' }, { order: 7n, key }), current).kind).toBe(kind);
  });

  test('is newer than a whole record of the same date', () => {
    expect(ignoreRepeats(patch({ a: '2' }, { order: 7n }), record({ a: '1' }, {}, 7n)).kind).toBe('apply');
  });

  test('without a date counts as fresh, and the next dated event wins over it', () => {
    const decision = ignoreRepeats(patch({ a: 'fresh' }), record({ a: '1' }, {}, 7n));
    const patched = record({ a: 'fresh' }, { a: { order: 7n, key: 'k' } }, 7n);
    expect(decision).toEqual({ kind: 'apply', record: patched });
    expect(ignoreRepeats(patch({ a: 'dated' }, { order: 8n }), patched)).toMatchObject({
      record: { data: new Map([['a', 'dated']]) },
    });
  });

  test('changes nothing of the record that it was given', () => {
    const current = record({ a: '1' }, { a: { order: 1n, key: 'x' } });
    ignoreRepeats(patch({ a: '2', b: '2' }, { order: 2n }), current);
    expect(current).toEqual(record({ a: '1' }, { a: { order: 1n, key: 'x' } }));
  });
});

describe('ignore after a delete', () => {
  const tombstone: SourceRecord = { ...record({}, {}, 7n), isTombstone: true };

  test('is stale at the same order value, and brings the record back by a higher one', () => {
    expect(ignoreRepeats(patch({ a: '1' }, { order: 7n }), tombstone)).toEqual({ kind: 'stale' });
    expect(ignoreRepeats(patch({ a: '1' }, { order: 8n }), tombstone)).toMatchObject({
      record: { data: new Map([['a', '1']]), isTombstone: true, orderValue: 7n },
    });
  });

  test('is stale without a date: it cannot say that it is newer', () => {
    expect(ignoreRepeats(patch({ a: '1' }), tombstone)).toEqual({ kind: 'stale' });
  });
});

test('ignore with `apply: none` only counts the event as seen', () => {
  const current = record({ a: '1' }, {}, 3n);
  expect(ignoreRepeatsApplyNone(patch({ a: '2' }, { order: 9n }), current)).toEqual({ kind: 'apply', record: current });
  expect(ignoreRepeatsApplyNone(patch({ a: '2' }), undefined)).toEqual({ kind: 'apply', record: record({}) });
});
