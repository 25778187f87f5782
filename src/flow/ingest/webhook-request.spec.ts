import { describe, expect, test } from '@jest/globals';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { webhookOf } from '../../../test/support/message-of.js';
import { distinctionOf, keptRequest } from './webhook-request.js';

const { ingest } = named(
  contractFrom(`
systems:
  shop:
    ingest:
      auth: { scheme: hmac, header: X-Proof, secrets: ['\${SHOP_SECRET}'] }
      webhooks:
        - when: { header/x-event-key: 'repo:push', query/verify: '\${VERIFY}' }
          event_type: order.made
          idempotency_key: 'order:{header/x-resource-id}'
          entity: { type: order, external_id: '{query/id}' }
entities: { order: { order_by: arrival } }
events: { order.made: { entity: order, strategy: ignore } }
`).systems,
  'shop',
);
if (ingest === undefined) throw new Error('The shop of this test sends nothing.');
const shop = ingest;

describe('what is kept of a webhook beside its body', () => {
  test('is what rules read, whatever it is called, and nothing that may be a credential', () => {
    const credentials = [
      'authorization x-auth cookie x-api-key x-proof x-signature x-sig x-hub-signature-256 x-shop-hmac x-token x-secret',
      'x-password x-passwd x-pass x-pwd x-jwt-assertion x-credential x-session-id x-pin x-otp-code x-client-code',
    ].flatMap((line) => line.split(' '));
    const harmless = [
      'x-topic',
      'x-author',
      'idempotency-key',
      'x-event-key',
      'x-resource-id',
      'user-agent',
      'x-signal',
    ];
    const headers = Object.fromEntries([...credentials, ...harmless].map((name) => [name, 'v']));
    const query = Object.fromEntries(['verify', 'sig', 'code', 'sas', 'pwd', 'id', 'page'].map((name) => [name, 'v']));
    const kept = keptRequest(webhookOf('{"a":1}', { headers, query }), shop);
    expect(Object.keys(kept.headers).sort()).toEqual(harmless.sort());
    expect(Object.keys(kept.query)).toEqual(['id', 'page']);
  });
});

describe('two webhooks with one body are two', () => {
  const distinct = (text: string, one: object, other: object): boolean =>
    String(distinctionOf(webhookOf(text, one), shop)) !== String(distinctionOf(webhookOf(text, other), shop));

  test.each([
    ['where a condition looks', { headers: { 'x-event-key': 'a' } }, { headers: { 'x-event-key': 'b' } }, true],
    ['where a key is made of it', { headers: { 'x-resource-id': '1' } }, { headers: { 'x-resource-id': '2' } }, true],
    ['where an id is read', { query: { id: '1' } }, { query: { id: '2' } }, true],
    ['nowhere else', { headers: { 'x-delivery': '1' } }, { headers: { 'x-delivery': '2' } }, false],
  ])('%s', (_where, one, other, expected) => {
    expect(distinct('{"a":1}', one, other)).toBe(expected);
  });

  test('everywhere, where nothing stands in the body', () => {
    expect(distinct('{}', { headers: { 'x-delivery': '1' } }, { headers: { 'x-delivery': '2' } })).toBe(true);
    expect(distinct('{}', { headers: { 'x-proof': '1' } }, { headers: { 'x-proof': '2' } })).toBe(false);
  });
});
