import { describe, expect, test } from '@jest/globals';
import { JsonNumber, type Json } from '../../domain/json/json.js';
import { EMPTY_RECORD, isDeleted, type SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide } from './decision.js';
import { deleteBy, overwriteBy } from './overwrite.js';

const overwrite = overwriteBy('conflict');

function event(orderValue: bigint | undefined, fields: Readonly<Record<string, Json>>): EventToDecide {
  const contentHash = JSON.stringify(fields);
  const said = { fields: new Map(Object.entries(fields)), shares: new Map(), contentHash };
  return { key: `k${orderValue}`, orderValue, occurredAt: undefined, ...said };
}

function held(orderValue: bigint, fields: Readonly<Record<string, Json>>): SourceRecord {
  const decision = overwrite(event(orderValue, fields), undefined);
  if (decision.kind !== 'apply') throw new Error('The first event of a record was not applied.');
  return decision.record;
}

describe('overwrite', () => {
  test('applies the first event as it is', () => {
    expect(overwrite(event(3n, { name: 'Ada' }), undefined)).toEqual({
      kind: 'apply',
      record: {
        ...EMPTY_RECORD,
        data: new Map([['name', 'Ada']]),
        orderValue: 3n,
        contentHash: '{"name":"Ada"}',
      },
    });
  });

  test('replaces the whole record by a higher order value: what the event does not say is gone', () => {
    const decision = overwrite(event(4n, { name: 'Bea' }), held(3n, { name: 'Ada', fax: '1' }));
    expect(decision).toMatchObject({ kind: 'apply', record: { data: new Map([['name', 'Bea']]), orderValue: 4n } });
  });

  test('orders by number and not by text', () => {
    expect(overwrite(event(10n, { name: 'x' }), held(9n, { name: 'y' })).kind).toBe('apply');
    const large = 9_007_199_254_740_993n;
    expect(overwrite(event(large, { name: 'x' }), held(large - 1n, { name: 'y' })).kind).toBe('apply');
  });

  test.each([
    ['a lower order value is stale, whatever it says', 2n, { name: 'Bea' }, 'stale'],
    ['a lower order value is stale also when it says the same', 2n, { name: 'Ada' }, 'stale'],
    ['the same order value with the same content changes nothing', 3n, { name: 'Ada' }, 'unchanged'],
    ['the same order value with other content is a question for a person', 3n, { name: 'Bea' }, 'conflict'],
  ] as const)('%s', (_what, orderValue, fields, kind) => {
    expect(overwrite(event(orderValue, fields), held(3n, { name: 'Ada' }))).toEqual({ kind });
  });

  test('leaves alone what a patch of the same or a later date wrote', () => {
    const clock = (order: bigint) => ({ written: { order, key: 'p' }, members: new Map() });
    const current: SourceRecord = {
      ...held(3n, {}),
      data: new Map([
        ['early', 'patched'],
        ['same', 'patched'],
        ['late', 'patched'],
      ]),
      clocks: {
        members: new Map([
          ['early', clock(3n)],
          ['same', clock(4n)],
          ['late', clock(5n)],
        ]),
      },
    };
    const decision = overwrite(event(4n, { early: 'new', same: 'new' }), current);
    expect(decision).toMatchObject({
      kind: 'apply',
      record: {
        data: new Map([
          ['early', 'new'],
          ['same', 'patched'],
          ['late', 'patched'],
        ]),
        clocks: {
          members: new Map([
            ['same', clock(4n)],
            ['late', clock(5n)],
          ]),
        },
      },
    });
  });

  test('leaves alone what merge rules own', () => {
    const total = { kind: 'sum', total: new JsonNumber('7') } as const;
    const current = { ...held(3n, { name: 'Ada' }), merged: new Map([['total', total]]) };
    expect(overwrite(event(4n, { name: 'Bea' }), current)).toMatchObject({
      record: { data: new Map<string, Json>([['name', 'Bea'], ['total', total.total]]) }, // prettier-ignore
    });
  });

  test('lets the later arrival win a tie where the entity type says so', () => {
    const decision = overwriteBy('arrival')(event(3n, { name: 'Bea' }), held(3n, { name: 'Ada' }));
    expect(decision).toMatchObject({ kind: 'apply', record: { data: new Map([['name', 'Bea']]) } });
  });

  test('said again at another time is dated by the later one, whichever came first', () => {
    const at = (occurredAt: bigint | undefined): EventToDecide => ({ ...event(3n, { name: 'Ada' }), occurredAt });
    const after = (first: bigint | undefined, second: bigint | undefined): bigint | undefined => {
      const once = overwrite(at(first), undefined);
      if (once.kind !== 'apply') throw new Error('The first event of a record was not applied.');
      const twice = overwrite(at(second), once.record);
      return twice.kind === 'apply' ? twice.record.occurredAt : once.record.occurredAt;
    };
    expect([after(10n, 20n), after(20n, 10n), after(undefined, 20n), after(20n, undefined)]).toEqual([
      20n,
      20n,
      20n,
      20n,
    ]);
  });

  test('never decides without an order value', () => {
    expect(() => overwrite(event(undefined, {}), undefined)).toThrow(/without order value/);
  });
});

describe('a delete', () => {
  const deleteRecord = deleteBy('conflict');
  const deleted = (orderValue: bigint, current?: SourceRecord): SourceRecord => {
    const decision = deleteRecord(event(orderValue, { id: '1' }), current);
    if (decision.kind !== 'apply') throw new Error('The delete was not applied.');
    return decision.record;
  };

  test('leaves a tombstone with its order value and nothing else, also where there was no record', () => {
    for (const record of [deleted(5n, held(3n, { name: 'Ada' })), deleted(5n)]) {
      expect(record).toMatchObject({ data: new Map(), orderValue: 5n, isTombstone: true });
      expect(isDeleted(record)).toBe(true);
    }
  });

  test('makes an older update stale, and a newer one brings the record back', () => {
    expect(overwrite(event(4n, { name: 'Ada' }), deleted(5n))).toEqual({ kind: 'stale' });
    const decision = overwrite(event(6n, { name: 'Ada' }), deleted(5n));
    const record = decision.kind === 'apply' ? decision.record : EMPTY_RECORD;
    expect(record.data).toEqual(new Map([['name', 'Ada']]));
    expect(isDeleted(record)).toBe(false);
  });

  test('is unchanged when it is said again, stale when it is old, and a conflict with an update of its order value', () => {
    expect(deleteRecord(event(5n, { other: '1' }), deleted(5n))).toEqual({ kind: 'unchanged' });
    expect(deleteRecord(event(2n, {}), held(3n, {}))).toEqual({ kind: 'stale' });
    expect(deleteRecord(event(3n, {}), held(3n, {}))).toEqual({ kind: 'conflict' });
    expect(overwrite(event(5n, {}), deleted(5n))).toEqual({ kind: 'conflict' });
  });
});
