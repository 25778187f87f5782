import { describe, expect, test } from '@jest/globals';
import type { Json } from '../../domain/json/json.js';
import type { SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide } from './decision.js';
import { overwrite } from './overwrite.js';

function event(orderValue: bigint | undefined, fields: Readonly<Record<string, Json>>): EventToDecide {
  const contentHash = JSON.stringify(fields);
  return { idempotencyKey: `k${orderValue}`, orderValue, fields: new Map(Object.entries(fields)), contentHash };
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
        data: new Map([['name', 'Ada']]),
        orderValue: 3n,
        contentHash: '{"name":"Ada"}',
        fieldClocks: new Map(),
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
    const clock = (order: bigint) => ({ order, key: 'p' });
    const current: SourceRecord = {
      ...held(3n, {}),
      data: new Map([
        ['early', 'patched'],
        ['same', 'patched'],
        ['late', 'patched'],
      ]),
      fieldClocks: new Map([
        ['early', clock(3n)],
        ['same', clock(4n)],
        ['late', clock(5n)],
      ]),
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
        fieldClocks: new Map([
          ['same', clock(4n)],
          ['late', clock(5n)],
        ]),
      },
    });
  });

  test('never decides without an order value', () => {
    expect(() => overwrite(event(undefined, {}), undefined)).toThrow(/without order value/);
  });
});
