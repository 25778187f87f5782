import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { composeEntity, type ComposableRecord } from './compose.js';
import type { EntityType } from './contract/contract.js';
import { canonicalJson } from './json/canonical-json.js';
import { JsonNumber, type Json } from './json/json.js';
import { writeJson } from './json/write-json.js';
import type { ClockTree } from './field-clock.js';
import { EMPTY_RECORD } from './source-record.js';
import { draws } from '../../test/support/draws.js';

const CUSTOMER: EntityType = {
  name: 'customer',
  orderBy: 'version',
  ties: 'conflict',
  mergedFields: new Set(),
  compose: { default: ['crm', 'erp'], fields: new Map([['email', ['erp', 'crm']]]) },
};

function record(
  source: string,
  data: Readonly<Record<string, Json>>,
  { orderValue, externalId = '1' }: { readonly orderValue?: bigint; readonly externalId?: string } = {},
): ComposableRecord {
  return { ...EMPTY_RECORD, source, system: source, externalId, orderValue, data: new Map(Object.entries(data)) };
}

const composed = (...records: readonly ComposableRecord[]): unknown =>
  JSON.parse(writeJson(composeEntity(records, CUSTOMER)));

describe('a composed entity', () => {
  test('takes each field from the first owner whose record has it', () => {
    const crm = record('crm', { name: 'Ada', phone: null });
    const erp = record('erp', { name: 'ADA', phone: '1', limit: 'high' });
    // null is something that the CRM says; only a field that is absent leaves the word to the next.
    expect(composed(erp, crm)).toEqual({ name: 'Ada', phone: null, limit: 'high' });
  });

  test('takes a field with owners of its own from those', () => {
    const crm = record('crm', { email: 'a@crm' });
    expect(composed(crm, record('erp', { email: 'a@erp' }))).toEqual({ email: 'a@erp' });
    expect(composed(crm, record('erp', {}))).toEqual({ email: 'a@crm' });
  });

  test('takes a field from nobody but its owners, not even from those that own the rest', () => {
    const type = { ...CUSTOMER, compose: { default: ['crm'], fields: new Map([['email', ['erp']]]) } };
    expect(writeJson(composeEntity([record('crm', { email: 'a@crm', name: 'Ada' })], type))).toBe('{"name":"Ada"}');
  });

  test('takes nothing from a system that is not listed', () => {
    expect(composed(record('wms', { name: 'x', email: 'x' }))).toEqual({});
  });

  test('hears the newest of several records of one source first, then the one with the lower id', () => {
    const old = record('crm', { name: 'old', fax: '1' }, { orderValue: 1n, externalId: 'a' });
    const recent = record('crm', { name: 'new' }, { orderValue: 2n, externalId: 'b' });
    const undated = record('crm', { name: 'undated' }, { externalId: '0' });
    expect(composed(old, recent, undated)).toEqual({ name: 'new', fax: '1' });
    const twin = record('crm', { name: 'twin' }, { orderValue: 2n, externalId: 'a' });
    expect(composed(recent, twin)).toEqual({ name: 'twin' });
  });

  test('hears a record as new as its newest patch, also where nothing was ever said of it as a whole', () => {
    const patched = (
      name: string,
      order: bigint,
      rest: { orderValue?: bigint; externalId: string },
    ): ComposableRecord => ({
      ...record('crm', { name }, rest),
      clocks: { members: new Map([['name', { written: { order, key: 'k' }, members: new Map() }]]) },
    });
    const [first, ninth] = [patched('v1', 1n, { externalId: 'a' }), patched('v9', 9n, { externalId: 'b' })];
    expect(composed(first, ninth)).toEqual({ name: 'v9' });
    expect(composed(ninth, record('crm', { name: 'v8' }, { orderValue: 8n, externalId: 'a' }))).toEqual({ name: 'v9' });
    expect(
      composed(
        patched('v9', 9n, { orderValue: 1n, externalId: 'b' }),
        patched('v8', 8n, { orderValue: 7n, externalId: 'a' }),
      ),
    ).toEqual({ name: 'v9' });
    expect(composed(first, record('crm', { name: 'v2' }, { orderValue: 2n, externalId: 'b' }))).toEqual({ name: 'v2' });
  });

  describe('with a field that the latest wins', () => {
    const latest: EntityType = {
      ...CUSTOMER,
      compose: { default: ['erp', 'crm'], fields: new Map([['email', 'latest']]) },
    };
    const emailOf = (...records: readonly ComposableRecord[]): unknown => composeEntity(records, latest).get('email');
    const at = (
      source: string,
      occurredAt: bigint | undefined,
      more: Partial<ComposableRecord> = {},
    ): ComposableRecord => ({
      ...record(source, { email: `at-${source}` }),
      occurredAt,
      ...more,
    });
    const clocks = (at: bigint): ClockTree => ({
      members: new Map([['email', { written: { order: 9n, key: 'k', at }, members: new Map() }]]),
    });

    test('takes it from the record in which it was written last', () => {
      expect(emailOf(at('crm', 5n), at('erp', 4n))).toBe('at-crm');
      expect(emailOf(at('crm', 5n, { clocks: clocks(3n) }), at('erp', 4n))).toBe('at-erp');
      expect(emailOf(at('crm', 3n), at('erp', 2n, { clocks: clocks(4n) }))).toBe('at-erp');
    });

    test('breaks a tie by the name of the system, whatever its place in the list', () => {
      expect(emailOf(at('erp', 5n), at('crm', 5n))).toBe('at-crm');
      expect(emailOf(at('erp', undefined), at('crm', undefined))).toBe('at-crm');
    });

    test('hears only the systems that give fields, and those that have it', () => {
      expect(emailOf(at('wms', 9n), at('erp', 1n), { ...at('crm', 5n), data: new Map() })).toBe('at-erp');
    });

    test('goes by the order value where that is the time, also of records that do not say it again', () => {
      const byTime = (orderValue: bigint, source: string): ComposableRecord =>
        record(source, { email: source }, { orderValue });
      const type: EntityType = { ...latest, orderBy: 'occurred_at' };
      expect(composeEntity([byTime(5n, 'crm'), byTime(6n, 'erp')], type).get('email')).toBe('erp');
    });

    test('asks a merge rule when its field was told last', () => {
      const merged = new Map([
        ['email', { kind: 'latest', value: 'x', clock: { order: 1n, key: 'k', at: 7n } } as const],
      ]);
      expect(emailOf(at('crm', 5n), at('erp', 1n, { merged }))).toBe('at-erp');
    });
  });

  test('keeps numbers as they were written', () => {
    const data = composeEntity([record('crm', { total: new JsonNumber('1299.00') })], CUSTOMER);
    expect(writeJson(data)).toBe('{"total":1299.00}');
  });

  test('depends on the records alone and not on the order in which they are given', () => {
    const field = fc.constantFrom('name', 'email', 'phone');
    const records = fc.uniqueArray(
      fc
        .record({
          source: fc.constantFrom('crm', 'erp', 'wms'),
          externalId: fc.constantFrom('1', '2', '3'),
          orderValue: fc.option(fc.bigInt({ min: 0n, max: 2n }), { nil: undefined }),
          fields: fc.dictionary(field, fc.constantFrom('x', 'y')),
        })
        .map(({ source, externalId, orderValue, fields }) =>
          record(source, fields, orderValue === undefined ? { externalId } : { externalId, orderValue }),
        ),
      { selector: ({ source, externalId }) => `${source}:${externalId}`, maxLength: 6 },
    );
    const shuffled = records.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const [a, b] = [composeEntity(all, CUSTOMER), composeEntity(other, CUSTOMER)];
        expect(canonicalJson(b)).toBe(canonicalJson(a));
      }),
      { numRuns: draws(1_000) },
    );
  });
});
