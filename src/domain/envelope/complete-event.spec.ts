import { describe, expect, test } from '@jest/globals';
import { named } from '../../../test/support/contract-from.js';
import { refusalOf } from '../../../test/support/refusal.js';
import { spineContract } from '../../../test/support/spine-contract.js';
import type { Contract } from '../contract/contract.js';
import { completeEvent, type EventParts, type Reception } from './complete-event.js';

const contract = spineContract();
const NOON = BigInt(Date.UTC(2025, 0, 1, 12)) * 1000n;

const reception: Reception = {
  contract,
  source: named(contract.systems, 'crm'),
  correlationId: 'p-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  nowMicros: NOON,
};

const customer: EventParts = {
  eventType: 'customer.updated',
  idempotencyKey: 'customer:C-1:v17',
  entityType: 'customer',
  entitySystem: undefined,
  externalId: ' C-1 ',
  version: '17',
  occurredAt: undefined,
  payload: new Map([['full_name', 'Ada']]),
  payloadText: '{ "full_name": "Ada" }',
};
const stock: EventParts = {
  ...customer,
  eventType: 'stock.counted',
  entityType: 'stock',
  version: undefined,
  occurredAt: '2025-01-01T12:00:00Z',
};

describe('completeEvent', () => {
  test('makes an event of its parts', () => {
    expect(completeEvent(customer, reception)).toEqual({
      source: 'crm',
      eventType: 'customer.updated',
      idempotencyKey: 'customer:C-1:v17',
      scope: 'crm:customer.updated',
      entity: { system: 'crm', type: 'customer', externalId: 'C-1', rawExternalId: ' C-1 ' },
      version: '17',
      occurredAtMicros: undefined,
      correlationId: 'p-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      payload: '{ "full_name": "Ada" }',
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('spells an id by the rules of the system whose id it is, not of the one that sends', () => {
    const { entity } = completeEvent({ ...customer, entitySystem: 'wms' }, reception);
    expect(entity).toEqual({ system: 'wms', type: 'customer', externalId: ' C-1 ', rawExternalId: ' C-1 ' });
  });

  test.each([
    ['17', '17'],
    ['0', '0'],
    ['007', '7'],
    ['9'.repeat(38), '9'.repeat(38)],
  ])('reads the version %j as %s', (text, version) => {
    expect(completeEvent({ ...customer, version: text }, reception).version).toBe(version);
  });

  test('needs no version and no time where nothing is ordered by them', () => {
    const noted = { ...customer, eventType: 'customer.noted', version: undefined };
    expect(completeEvent(noted, reception)).toMatchObject({ version: undefined, occurredAtMicros: undefined });
  });

  test('needs the order value to merge by, and the time where the latest wins a field', () => {
    const noted = named(contract.eventTypes, 'customer.noted');
    const type = named(contract.entityTypes, 'customer');
    const compose = { ...type.compose, fields: new Map([['email', 'latest' as const]]) };
    const merging: Contract = {
      ...contract,
      eventTypes: new Map([...contract.eventTypes, ['customer.noted', { ...noted, strategy: 'merge' }]]),
      entityTypes: new Map([...contract.entityTypes, ['customer', { ...type, compose }]]),
    };
    const codeOf = (parts: Partial<EventParts>): unknown => {
      const whole = { ...customer, eventType: 'customer.noted', ...parts };
      return refusalOf(() => completeEvent(whole, { ...reception, contract: merging }))?.code;
    };
    expect(codeOf({ version: undefined })).toBe('version.invalid');
    expect(codeOf({})).toBe('occurred_at.invalid');
    expect(codeOf({ occurredAt: '2025-01-01T12:00:00Z' })).toBeUndefined();
  });

  test('takes an event that is dated up to five minutes ahead, and not a microsecond more', () => {
    const dated = (occurredAt: string): unknown => completeEvent({ ...stock, occurredAt }, reception).occurredAtMicros;
    expect(dated('2025-01-01T12:05:00Z')).toBe(NOON + 300_000_000n);
    expect(refusalOf(() => dated('2025-01-01T12:05:00.000001Z'))?.code).toBe('occurred_at.in_future');
  });

  test('gives one room to the systems that report the same fact', () => {
    const payment = { ...customer, eventType: 'payment.completed', entityType: 'payment' };
    const fromErp = { ...reception, source: named(contract.systems, 'erp') };
    const fromWms = { ...reception, source: named(contract.systems, 'wms') };
    expect(completeEvent(payment, reception).scope).toBe(completeEvent(payment, fromErp).scope);
    expect(completeEvent(payment, fromWms).scope).toBe('wms:payment.completed');
  });
});

describe('completeEvent refuses', () => {
  test.each([
    ['an event type that nobody declared', { eventType: 'customer.upd' }, 'event_type.unknown', '/event_type'],
    ['a name that every object has', { eventType: 'constructor' }, 'event_type.unknown', '/event_type'],
    ['an entity type that nobody declared', { entityType: 'cust' }, 'entity_type.unknown', '/entity/type'],
    ['an entity type that the event is not about', { entityType: 'stock' }, 'entity_type.mismatch', '/entity/type'],
    [
      'overwriting what has no order',
      { eventType: 'entity.updated', entityType: 'payment' },
      'entity_type.mismatch',
      '/entity/type',
    ],
    ['a system that nobody declared', { entitySystem: 'shop' }, 'system.unknown', '/entity/system'],
    ['an empty id', { externalId: '  ' }, 'id.invalid', '/entity/external_id'],
    ['an id that is too long', { externalId: 'x'.repeat(256) }, 'id.invalid', '/entity/external_id'],
    ['NUL in an id', { externalId: 'a\u0000' }, 'id.invalid', '/entity/external_id'],
    ['an unusable key', { idempotencyKey: ' k' }, 'key.invalid', '/idempotency_key'],
    ['an empty key', { idempotencyKey: '' }, 'key.invalid', '/idempotency_key'],
    ['no version where one is needed', { version: undefined }, 'version.invalid', '/version'],
    ['a fraction', { version: '17.5' }, 'version.invalid', '/version'],
    ['a sign', { version: '-1' }, 'version.invalid', '/version'],
    ['an exponent', { version: '1e3' }, 'version.invalid', '/version'],
    ['blanks', { version: ' 17' }, 'version.invalid', '/version'],
    ['digits of another script', { version: '１７' }, 'version.invalid', '/version'],
    ['no digits', { version: '' }, 'version.invalid', '/version'],
    ['more digits than a version has', { version: '1'.repeat(39) }, 'version.invalid', '/version'],
    ['a time that is none', { occurredAt: 'yesterday' }, 'occurred_at.invalid', '/occurred_at'],
    ['a time without zone', { occurredAt: '2025-01-01T12:00:00' }, 'occurred_at.invalid', '/occurred_at'],
    ['a time ahead', { occurredAt: '2025-01-01T13:00:00Z' }, 'occurred_at.in_future', '/occurred_at'],
  ] as const)('%s', (_what, change, code, at) => {
    expect(refusalOf(() => completeEvent({ ...customer, ...change }, reception))).toEqual({ code, at });
  });

  test('an unusable version also where nothing is ordered by it', () => {
    const noted = { ...customer, eventType: 'customer.noted', version: 'v17' };
    expect(refusalOf(() => completeEvent(noted, reception))?.code).toBe('version.invalid');
  });

  test('no time where one is needed', () => {
    const act = (): unknown => completeEvent({ ...stock, occurredAt: undefined }, reception);
    expect(refusalOf(act)).toEqual({ code: 'occurred_at.invalid', at: '/occurred_at' });
  });
});
