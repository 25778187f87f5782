import { describe, expect, test } from '@jest/globals';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { webhookOf } from '../../../test/support/message-of.js';
import { refusalOf } from '../../../test/support/refusal.js';
import { explainEvent } from '../explain/explain-event.js';
import { isJsonObject, type Json, type JsonObject } from '../json/json.js';
import { readJson } from '../json/read-json.js';
import { completeEvent, type EventParts, type Reception } from './complete-event.js';
import { readStructuredCloudEvent } from './read-cloud-event.js';
import { readEnvelope } from './read-envelope.js';
import { readWebhook } from './read-webhook.js';

const contract = contractFrom(`
systems:
  crm:
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }
      webhooks:
        - event_type: order.moved
          idempotency_key: '{/id}:{/status}'
          entity: { type: order, external_id: '{/id}' }
          state: '{/status}'
          expected_current_state: '{/before}'
entities:
  order: { order_by: version, states: { initial: NEW, NEW: [PAID], PAID: [] } }
  ticket: { order_by: version, states: { initial: OPEN, OPEN: [DONE], DONE: [OPEN] } }
  visit: { order_by: occurred_at, states: { initial: IN, IN: [OUT], OUT: [IN] } }
events:
  order.moved: { entity: order, strategy: ignore, transition: '{state}' }
  order.paid: { entity: order, strategy: ignore, transition: PAID }
  order.noted: { entity: order, strategy: ignore }
  ticket.done: { entity: ticket, strategy: ignore, transition: DONE }
  ticket.noted: { entity: ticket, strategy: ignore }
  visit.ended: { entity: visit, strategy: merge, transition: OUT }
`);
const reception: Reception = {
  contract,
  source: named(contract.systems, 'crm'),
  correlationId: 'p-1',
  traceparent: undefined,
  nowMicros: BigInt(Date.UTC(2025, 0, 1)) * 1000n,
};
const PARTS: EventParts = {
  eventType: 'order.moved',
  idempotencyKey: 'k',
  entityType: 'order',
  entitySystem: undefined,
  externalId: 'O-1',
  version: undefined,
  occurredAt: undefined,
  payload: new Map(),
  payloadText: '{}',
};
const complete = (parts: Partial<EventParts>) => completeEvent({ ...PARTS, ...parts }, reception);

function object(text: string): JsonObject {
  const { value } = readJson(text);
  if (!isJsonObject(value)) throw new Error('The text of this test is no object.');
  return value;
}

describe('what an event says about states', () => {
  test('is kept with it', () => {
    expect(complete({ state: 'PAID', expectedState: 'NEW' })).toMatchObject({ state: 'PAID', expectedState: 'NEW' });
    expect(complete({ eventType: 'order.paid', expectedState: 'NEW' })).toMatchObject({
      state: undefined,
      expectedState: 'NEW',
    });
    expect(complete({ eventType: 'order.noted' })).toMatchObject({ state: undefined, expectedState: undefined });
  });

  test.each<readonly [string, Partial<EventParts>, unknown]>([
    ['a state that is missing', {}, { code: 'envelope.invalid', at: '/state' }],
    ['a state that nobody knows', { state: 'LOST' }, { code: 'state.unknown', at: '/state' }],
    ['one in other letters', { state: 'paid' }, { code: 'state.unknown', at: '/state' }],
    [
      'an expected one that nobody knows',
      { state: 'PAID', expectedState: 'LOST' },
      { code: 'state.unknown', at: '/expected_current_state' },
    ],
    [
      'a state beside the one of the contract',
      { eventType: 'order.paid', state: 'PAID' },
      { code: 'envelope.invalid', at: '/state' },
    ],
    [
      'a state where nothing moves',
      { eventType: 'order.noted', state: 'PAID' },
      { code: 'envelope.invalid', at: '/state' },
    ],
    [
      'an expected one where nothing moves',
      { eventType: 'order.noted', expectedState: 'NEW' },
      { code: 'envelope.invalid', at: '/expected_current_state' },
    ],
    [
      'no version, where only the order tells early from late',
      { eventType: 'ticket.done', entityType: 'ticket' },
      { code: 'version.invalid', at: '/version' },
    ],
    [
      'no time, where only the order tells early from late',
      { eventType: 'visit.ended', entityType: 'visit' },
      { code: 'occurred_at.invalid', at: '/occurred_at' },
    ],
  ])('is refused with %s', (_name, parts, refusal) => {
    expect(refusalOf(() => complete(parts))).toEqual(refusal);
  });

  test('needs no order where nothing moves, or no state can be come back to', () => {
    expect(complete({ eventType: 'ticket.noted', entityType: 'ticket' }).version).toBeUndefined();
    expect(complete({ eventType: 'order.paid' }).version).toBeUndefined();
  });

  test('tells one fact from another', () => {
    const prints = [
      complete({ state: 'PAID' }),
      complete({ state: 'NEW' }),
      complete({ state: 'PAID', expectedState: 'NEW' }),
      complete({ state: 'NEW', expectedState: 'PAID' }),
      complete({ eventType: 'order.paid' }),
      complete({ eventType: 'order.paid', expectedState: 'NEW' }),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('is the same by an envelope, by a CloudEvent and by a rule', () => {
    const payload = '{"id":"O-1","status":"PAID","before":"NEW"}';
    const data = object(payload);
    const envelope = readEnvelope(
      {
        envelope: new Map<string, Json>([
          ['idempotency_key', 'O-1:PAID'],
          ['event_type', 'order.moved'],
          ['entity', object('{"type":"order","external_id":"O-1"}')],
          ['state', 'PAID'],
          ['expected_current_state', 'NEW'],
          ['payload', data],
        ]),
        payloadSources: new Map([[data, payload]]),
        headerKey: undefined,
      },
      reception,
    );
    const attributes = object(
      `{"specversion":"1.0","id":"1","source":"/crm","type":"order.moved","subject":"O-1","idempotencykey":"O-1:PAID",
        "state":"PAID","expectedcurrentstate":"NEW","data":${payload}}`,
    );
    const cloudEvent = readStructuredCloudEvent(
      {
        event: attributes,
        dataSources: new Map([[attributes.get('data') as JsonObject, payload]]),
        headerKey: undefined,
      },
      reception,
    );
    const webhook = readWebhook(webhookOf(payload), reception);
    expect(cloudEvent).toEqual(envelope);
    expect(webhook).toMatchObject({ kind: 'event', event: envelope });
  });

  test('makes a dead letter of a webhook without a state, or with one that nobody knows', () => {
    const outcome = (text: string) => readWebhook(webhookOf(text), reception);
    expect(outcome('{"id":"O-1","status":"LOST"}')).toMatchObject({ kind: 'unmatched', code: 'state.unknown' });
    expect(outcome('{"id":"O-1"}')).toMatchObject({ kind: 'unmatched', code: 'webhook.unmatched' });
    expect(outcome('{"id":"O-1","status":"PAID","before":null}')).toMatchObject({ kind: 'event' });
  });

  test('passes in a CloudEvent where it may be meant for somebody else', () => {
    const attributes = object(
      `{"specversion":"1.0","id":"1","source":"/crm","type":"order.paid","subject":"O-1","idempotencykey":"k",
        "state":"sampled","data":{}}`,
    );
    const input = { event: attributes, dataSources: new Map(), headerKey: undefined };
    expect(readStructuredCloudEvent(input, reception).state).toBeUndefined();
  });

  test('is explained', () => {
    expect(explainEvent(complete({ state: 'PAID', expectedState: 'NEW' }), contract)).toMatchObject({
      state: 'PAID',
      expected_current_state: 'NEW',
    });
    expect(explainEvent(complete({ eventType: 'order.paid' }), contract)).toMatchObject({ state: 'PAID' });
    expect(explainEvent(complete({ eventType: 'order.noted' }), contract)).not.toHaveProperty('state');
  });
});
