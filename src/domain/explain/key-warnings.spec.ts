import { describe, expect, test } from '@jest/globals';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { webhookOf } from '../../../test/support/message-of.js';
import { readWebhook } from '../envelope/read-webhook.js';
import { keyWarnings } from './key-warnings.js';

const AT = '2026-01-01T12:00:00Z';
const BODY = JSON.stringify({
  id: 'O-1',
  version: 17,
  updated_at: AT,
  sent_at: AT,
  event_id: 'evt_1',
  key: 'order:O-1:v17',
  uuid: '7d0f0e4e-35a3-4a3e-9c53-1ce4c2c1f6aa',
});

function warningsOf(key: string, eventType = 'order.changed'): readonly string[] {
  const contract = contractFrom(`
systems:
  shop:
    ingest:
      auth: { scheme: api-key, secrets: ['\${KEY}'] }
      webhooks:
        - event_type: ${eventType}
          idempotency_key: '${key}'
          entity: { type: order, external_id: '{/id}' }
          version: '{/version}'
          occurred_at: '{/updated_at}'
entities: { order: { order_by: version } }
events:
  order.changed: { entity: order, strategy: overwrite }
  order.noted: { entity: order, strategy: ignore }
`);
  const source = named(contract.systems, 'shop');
  const nowMicros = BigInt(Date.parse(AT)) * 1000n;
  const reception = { contract, source, correlationId: 'c', traceparent: undefined, nowMicros };
  const read = readWebhook(webhookOf(BODY, { headers: { 'x-delivery-id': 'd-1' } }), reception);
  if (read.kind !== 'event') throw new Error(JSON.stringify(read));
  return keyWarnings(read.event, named(contract.eventTypes, eventType), read.rule).map(
    ({ kind, message }) => `${kind} ${/`[^`]*`/.exec(message)?.[0] ?? ''}`,
  );
}

describe('a key', () => {
  test.each<readonly [string, readonly string[]]>([
    // As it should be.
    ['order:{/id}:v{/version}', []],
    ['{/key}', []],
    ['order:{/id}:{/updated_at}:{hash}', []],
    // Different facts would share it.
    ['order:{/id}', ['too_coarse `version`']],
    ['order:{/id}:{/updated_at}', ['time_stamp `{/updated_at}`']],
    // One fact would have several.
    ['order:{/id}:v{/version}:{/sent_at}', ['time_stamp `{/sent_at}`']],
    ['order:{/id}:{/event_id}', ['message_id `{/event_id}`']],
    ['order:{/id}:v{/version}:{header/x-delivery-id}', ['message_id `{header/x-delivery-id}`']],
    ['{/uuid}', ['message_id `7d0f0e4e-35a3-4a3e-9c53-1ce4c2c1f6aa`']],
    ['{/updated_at}', ['time_stamp `{/updated_at}`']],
  ])('%s: %j', (key, expected) => {
    expect(warningsOf(key)).toEqual(expected);
  });

  test('of an event that only ever happens once needs nothing beside the id', () => {
    expect(warningsOf('order:{/id}', 'order.noted')).toEqual([]);
  });
});

test('a key that the sender made is looked at as it stands', () => {
  const { eventTypes } = contractFrom(`
systems: { crm: { ingest: { auth: { scheme: api-key, secrets: ['\${KEY}'] } } } }
entities: { order: { order_by: version } }
events: { order.changed: { entity: order, strategy: overwrite } }
`);
  const entity = { system: 'crm', type: 'order', externalId: 'O-1', rawExternalId: 'O-1' };
  const kindsOf = (idempotencyKey: string) =>
    keyWarnings(
      { idempotencyKey, version: '17', occurredAtMicros: undefined, entity },
      named(eventTypes, 'order.changed'),
    ).map(({ kind }) => kind);
  expect(kindsOf('order:O-1:v17')).toEqual([]);
  expect(kindsOf('order:O-1:17')).toEqual([]);
  expect(kindsOf('order:O-1')).toEqual(['too_coarse']);
  expect(kindsOf('order:O-1:v17:1767268800123')).toEqual(['time_stamp']);
  expect(kindsOf('7d0f0e4e-35a3-4a3e-9c53-1ce4c2c1f6aa')).toEqual(['message_id']);
});
