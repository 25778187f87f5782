import { describe, expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/domain/contract/contract.js';
import type { Reception } from '../../src/domain/envelope/complete-event.js';
import { answerUnsigned } from '../../src/domain/envelope/read-webhook.js';
import type { ReceivedEvent } from '../../src/domain/event.js';
import { explainPayload, type ExplainedPayload } from '../../src/domain/explain/explain-payload.js';
import { formatInstant } from '../../src/domain/instant.js';
import { isJsonObject } from '../../src/domain/json/json.js';
import { readJson } from '../../src/domain/json/read-json.js';
import { readReferences } from '../../src/domain/references.js';
import { named } from '../support/contract-from.js';
import { exampleContract, exampleNames } from './example-contract.js';
import { READINGS, UNREADABLE, type Reading } from './readings.js';
import { asWebhook, changed, reprinted, vendorPayload, type VendorPayload } from './vendor-payload.js';

/** The system of each example that the vendor's webhooks come from. */
const SENDERS: Readonly<Record<string, string>> = {
  'async-create': 'wms',
  hubspot: 'crm',
  odoo: 'erp',
  salesforce: 'crm',
  shipstation: 'shipping',
  shopify: 'shop',
  stripe: 'stripe',
  woocommerce: 'shop',
};

const contracts = new Map(Object.keys(SENDERS).map((vendor) => [vendor, exampleContract(vendor)]));

/** @param name of the payload; its folder is that of the vendor */
function receptionFor(name: string): Reception {
  const vendor = name.split('/')[0] ?? '';
  const contract = named(contracts, vendor);
  return {
    contract,
    source: named(contract.systems, SENDERS[vendor] ?? ''),
    correlationId: 'a-test',
    traceparent: undefined,
    nowMicros: BigInt(Date.UTC(2026, 2, 1)) * 1000n,
  };
}

function explained(name: string, payload: VendorPayload): readonly ExplainedPayload[] {
  return explainPayload({ kind: 'webhook', body: asWebhook(payload) }, receptionFor(name));
}

function eventsOf(name: string, payload: VendorPayload = vendorPayload(name)): readonly ReceivedEvent[] {
  return explained(name, payload).map((one) => {
    if (one.kind === 'event') return one.event;
    throw new Error(JSON.stringify(one));
  });
}

/** An event as the table spells it. */
function spelt(event: ReceivedEvent, { systems, eventTypes }: Contract): Reading {
  const { system, type, externalId } = event.entity;
  const payload = readJson(event.payload).value;
  const { references } = named(eventTypes, event.eventType);
  const referred = isJsonObject(payload) ? readReferences(payload, references, named(systems, system)) : [];
  const found = referred.flatMap((rule) => rule.found.map(({ entity }) => `${entity.type} ${entity.externalId}`));
  const links = event.links?.others.map((link) => `${link.system} ${link.externalId}`) ?? [];
  return {
    type: event.eventType,
    key: event.idempotencyKey.replaceAll(/[0-9a-f]{64}/g, '<digest>'),
    entity: `${type} ${externalId}`,
    ...(event.occurredAtMicros === undefined ? {} : { at: formatInstant(event.occurredAtMicros) }),
    ...(found.length === 0 ? {} : { references: found }),
    ...(links.length === 0 ? {} : { links }),
    ...(event.links?.internalId === undefined ? {} : { internalId: event.links.internalId }),
  };
}

test('every payload of this folder, and every contract with rules, is held against the other', () => {
  const files = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true }).map(String);
  const payloads = files.filter((file) => file.endsWith('.json')).map((file) => file.replace(/\.json$/, ''));
  const known = [...Object.keys(READINGS), ...Object.keys(UNREADABLE), 'woocommerce/activation-ping'];
  expect(payloads.sort()).toEqual(known.sort());
  const withRules = exampleNames().filter((name) =>
    [...exampleContract(name).systems.values()].some(({ ingest }) => (ingest?.webhooks.length ?? 0) > 0),
  );
  expect(withRules).toEqual(Object.keys(SENDERS));
});

describe('a vendor’s webhook', () => {
  test.each(Object.entries(READINGS))('%s is read into event, key, entity, order and ids', (name, readings) => {
    const { contract } = receptionFor(name);
    expect(eventsOf(name).map((event) => spelt(event, contract))).toEqual(readings);
  });

  test.each(Object.entries(UNREADABLE))('%s is kept for a person: %s', (name, reason) => {
    expect(explained(name, vendorPayload(name))).toEqual([
      { kind: 'unmatched', code: 'webhook.unmatched', detail: expect.stringContaining(reason) },
    ]);
  });

  test.each([
    ['an order of a custom item alone', 'shopify/orders-create', { '/line_items': [{ product_id: null }] }],
    ['an order without customer', 'shopify/orders-create', { '/customer': null, '/line_items': [] }],
    ['a guest’s order without products', 'woocommerce/order-created-guest', { '/line_items': [] }],
    ['a partner without company', 'odoo/res-partner', {}],
    ['a payment without customer', 'stripe/payment-intent-succeeded', { '/data/object/customer': null }],
  ])('refers to nobody: %s', (_, name, values) => {
    const { contract } = receptionFor(name);
    const without = name === 'shopify/orders-create' ? { '/customer': null, ...values } : values;
    const [event] = eventsOf(name, changed(vendorPayload(name), without));
    expect(event && spelt(event, contract).references).toBeUndefined();
  });
});

/** What differs between two deliveries of one fact, beside its print. */
const REDELIVERED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'async-create': {},
  hubspot: { 'header/x-hubspot-request-timestamp': '1770826999000', '/0/attemptNumber': 3, '/3/attemptNumber': 3 },
  odoo: { '/_action': 'Another automation for the same(#977)' },
  salesforce: { '/event/replayId': 77_000_001 },
  shipstation: {},
  shopify: { 'header/x-shopify-webhook-id': '5f1c6d1e-0d0b-4c0f-8a9b-2f4f2f1d9aff' },
  stripe: { '/pending_webhooks': 0, '/request/id': null },
  woocommerce: { 'header/x-wc-webhook-delivery-id': 'c1f0a9d3b7e24f6f8a4d5b6c7d8e9fff' },
};

describe('the key', () => {
  test.each(Object.keys(READINGS))('and the fingerprint of %s are those of its copies', (name) => {
    const first = vendorPayload(name);
    const again = changed(first, REDELIVERED[name.split('/')[0] ?? ''] ?? {});
    const copies = eventsOf(name, { ...again, body: reprinted(again.body) });
    const facts = (events: readonly ReceivedEvent[]): unknown =>
      events.map(({ scope, idempotencyKey, fingerprint }) => ({ scope, idempotencyKey, fingerprint }));
    expect(facts(copies)).toEqual(facts(eventsOf(name, first)));
  });

  test('of Stripe’s two Events about one success is one', () => {
    const name = 'stripe/payment-intent-succeeded';
    const [one] = eventsOf(name);
    const [other] = eventsOf(name, changed(vendorPayload(name), { '/id': 'evt_another', '/created': 1770827405 }));
    expect([other?.idempotencyKey, other?.fingerprint]).toEqual([one?.idempotencyKey, one?.fingerprint]);
  });

  test('of Shopify’s created and updated out of one action are two', () => {
    const created = vendorPayload('shopify/orders-create');
    const updated = changed(created, { 'header/x-shopify-topic': 'orders/updated', '/financial_status': 'paid' });
    const keys = [created, updated].map((payload) => eventsOf('shopify/orders-create', payload)[0]?.idempotencyKey);
    expect(new Set(keys).size).toBe(2);
  });

  test.each([
    ['shipstation/ship-notify', { '/resource_url': 'https://ssapi6.shipstation.com/shipments?batchId=2' }],
    ['stripe/payment-intent-succeeded', { '/data/object/id': 'pi_another' }],
    ['stripe/charge-refunded', { '/id': 'evt_another', '/data/object/amount_refunded': 4250 }],
    ['woocommerce/order-updated', { '/status': 'refunded' }],
    ['odoo/sale-order', { '/state': 'done' }],
    ['hubspot/contact-subscriptions', { '/0/objectId': 1, '/1/propertyValue': 'x', '/2/eventId': 1, '/3/eventId': 2 }],
  ])('of %s is another one for another fact, also in the same second', (name, values) => {
    const keysOf = (payload: VendorPayload) => eventsOf(name, payload).map(({ idempotencyKey }) => idempotencyKey);
    const first = keysOf(vendorPayload(name));
    const second = keysOf(changed(vendorPayload(name), values));
    expect(new Set([...first, ...second]).size).toBe(first.length + second.length);
  });
});

interface Change {
  readonly name: string;
  /** Which event of the payload, where it holds several. */
  readonly index?: number;
  readonly place: string;
  readonly states: readonly [unknown, unknown];
  /** What the vendor gives each change: three values. */
  readonly stamps: Readonly<Record<string, readonly [unknown, unknown, unknown]>>;
}

const CHANGES: readonly Change[] = [
  {
    name: 'shopify/orders-updated',
    place: '/financial_status',
    states: ['paid', 'refunded'],
    stamps: { '/updated_at': clock('+01:00'), 'header/x-shopify-event-id': ['e-1', 'e-2', 'e-3'] },
  },
  {
    name: 'shopify/customers-update',
    place: '/email',
    states: ['a@example.com', 'b@example.com'],
    stamps: { '/updated_at': clock('+01:00'), 'header/x-shopify-event-id': ['e-1', 'e-2', 'e-3'] },
  },
  {
    name: 'woocommerce/order-updated',
    place: '/status',
    states: ['on-hold', 'processing'],
    stamps: { '/date_modified_gmt': clock('') },
  },
  {
    name: 'woocommerce/customer-updated',
    place: '/email',
    states: ['a@example.com', 'b@example.com'],
    stamps: { '/date_modified_gmt': clock('') },
  },
  {
    name: 'stripe/customer-updated',
    place: '/data/object/phone',
    states: ['+49 1', '+49 2'],
    stamps: { '/id': ['evt_1', 'evt_2', 'evt_3'], '/created': [1770827311, 1770827311, 1770827311] },
  },
  {
    name: 'hubspot/contact-subscriptions',
    index: 1,
    place: '/1/propertyValue',
    states: ['a@example.com', 'b@example.com'],
    stamps: { '/1/occurredAt': [1770826840530, 1770826840531, 1770826840532], '/1/eventId': [1, 2, 3] },
  },
  {
    name: 'odoo/res-partner',
    place: '/phone',
    states: [false, '+46 8'],
    stamps: { '/write_date': ['2024-01-15 10:30:00', '2024-01-15 10:30:00.000004', '2024-01-15 10:30:01'] },
  },
  {
    name: 'salesforce/account-update-of-two',
    place: '/payload/Phone',
    states: [null, '+46 8'],
    stamps: {
      '/payload/ChangeEventHeader/transactionKey': ['t-1', 't-1', 't-2'],
      '/payload/ChangeEventHeader/sequenceNumber': [1, 2, 1],
      '/payload/ChangeEventHeader/commitTimestamp': [1770830440000, 1770830440000, 1770830440001],
    },
  },
];

describe('a record that goes from A to B and back to A', () => {
  test.each(CHANGES)('is three facts: $name', ({ name, index = 0, place, states: [a, b], stamps }) => {
    const keys = [a, b, a].map((state, at) => {
      const stamped = Object.entries(stamps).map(([stamp, values]) => [stamp, values[at]] as const);
      const payload = changed(vendorPayload(name), { ...Object.fromEntries(stamped), [place]: state });
      return eventsOf(name, payload)[index]?.idempotencyKey;
    });
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(3);
  });
});

/** Three seconds in a row. */
function clock(offset: string): readonly [string, string, string] {
  return [`2026-02-12T10:00:00${offset}`, `2026-02-12T10:00:01${offset}`, `2026-02-12T10:00:02${offset}`];
}

test('WooCommerce’s ping is answered 200 without a signature, and with a wrong one it is not', () => {
  const { unsigned } = receptionFor('woocommerce/activation-ping').source.ingest ?? { unsigned: [] };
  const ping = vendorPayload('woocommerce/activation-ping');
  expect(answerUnsigned(asWebhook(ping), unsigned)).toEqual({ status: 200, text: '' });
  const forged = changed(ping, { 'header/x-wc-webhook-signature': 'AAAA' });
  expect(answerUnsigned(asWebhook(forged), unsigned)).toBeUndefined();
});
