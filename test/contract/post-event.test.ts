import { describe, expect, test } from '@jest/globals';
import { signWebhook } from '../../examples/sign-webhook.js';
import type { Code } from '../../src/domain/sync-error.js';
import { eventually } from '../support/eventually.js';
import { holdLock } from '../support/hold-lock.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer, type Question } from './shop-api.js';

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

describe('POST /v1/events', () => {
  const shop = serveShop();

  const send = async (body: unknown, headers: Question['headers'] = {}): Promise<Answer> =>
    shop.ask('crm', 'POST /v1/events', { body, headers });

  test('202 for the first copy', async () => {
    const answer = await send(customerEnvelope('C-1', { correlation_id: 'checkout-1' }));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      event_id: UUID,
      verdict: 'accepted',
      correlation_id: 'checkout-1',
      status: 'RECEIVED',
    });
  });

  test('200 for a further one, with the event id, status and outcome of the first', async () => {
    const first = await send(customerEnvelope('C-2'));
    await eventually(async () => {
      const { status, body } = await send(customerEnvelope('C-2'));
      expect(status).toBe(200);
      expect(body).toEqual({
        event_id: first.body?.['event_id'],
        verdict: 'duplicate',
        correlation_id: expect.any(String),
        status: 'COMPLETED',
        outcome: 'applied',
        internal_id: UUID,
      });
    });
  });

  test('422 for the same key with other content, with the ids of both events', async () => {
    const first = await send(customerEnvelope('C-3'));
    const answers = [
      await send(customerEnvelope('C-3', { payload: { name: 'another' } })),
      await send(customerEnvelope('C-3', { payload: { name: 'another' } })),
    ];
    for (const { status, headers, body } of answers) {
      expect(status).toBe(422);
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(body).toMatchObject({
        code: 'key.conflict',
        status: 422,
        verdict: 'conflict',
        event_id: first.body?.['event_id'],
        conflict_event_id: answers[0]?.body?.['conflict_event_id'],
      });
    }
  });

  test('the key may stand in the header instead, and both must be one', async () => {
    const envelope = customerEnvelope('C-4', { idempotency_key: undefined });
    expect((await send(envelope, { 'idempotency-key': 'header-key' })).status).toBe(202);
    expect((await send(customerEnvelope('C-4', { idempotency_key: 'header-key' }))).status).toBe(200);
    const both = await send(customerEnvelope('C-4', { idempotency_key: 'a' }), { 'idempotency-key': 'b' });
    expectProblem(both, 'key.invalid', '/idempotency_key');
  });

  test('a correlation id from the header comes back, in the body and as header', async () => {
    const answer = await send(customerEnvelope('C-5'), { 'x-correlation-id': 'from-the-header' });
    expect([answer.body?.['correlation_id'], answer.headers.get('x-correlation-id')]).toEqual([
      'from-the-header',
      'from-the-header',
    ]);
  });

  test('a signature identifies the system that the header names', async () => {
    const body = JSON.stringify(customerEnvelope('C-6'));
    const signed = signWebhook(SHOP_SECRETS.CRM_WEBHOOK_SECRET, body, new Date());
    const ask = async (headers: Question['headers'] = {}): Promise<Answer> =>
      shop.ask('nobody', 'POST /v1/events', { body, headers });
    expect((await ask({ ...signed, 'x-crosswalk-source': 'crm' })).status).toBe(202);
    expectProblem(await ask(signed), 'auth.failed');
    expectProblem(await ask({ ...signed, 'x-crosswalk-source': 'erp' }), 'auth.failed');
  });

  test('401 without a credential, 403 with one for people', async () => {
    expectProblem(await shop.ask('nobody', 'POST /v1/events', { body: customerEnvelope('C-7') }), 'auth.failed');
    expectProblem(await shop.ask('admin', 'POST /v1/events', { body: customerEnvelope('C-7') }), 'access.denied');
  });

  const bodies: readonly [string, Code, unknown, Question['headers']?][] = [
    ['bytes that are no UTF-8', 'body.not_utf8', Buffer.from([0x22, 0xff, 0x22])],
    ['no JSON', 'body.not_json', '{"a": }'],
    ['nothing', 'body.not_json', ''],
    ['one name twice', 'body.duplicate_name', '{"event_type":"a","event_type":"b"}'],
    ['half a surrogate pair', 'body.lone_surrogate', '{"event_type":"\\ud83d"}'],
    ['deep nesting', 'body.too_deep', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['more than 1 MiB', 'body.too_large', JSON.stringify({ a: 'x'.repeat(1_048_576) })],
    ['another media type', 'body.media_type', '{}', { 'content-type': 'text/plain' }],
    ['another charset', 'body.media_type', '{}', { 'content-type': 'application/json; charset=latin1' }],
    ['a compressed body', 'body.media_type', '{}', { 'content-encoding': 'gzip' }],
  ];
  test.each(bodies)('%s: %s', async (_name, code, body, headers = {}) => {
    expectProblem(await send(body, headers), code);
  });

  const inOneHour = new Date(Date.now() + 3_600_000).toISOString();
  const shipment = { event_type: 'shipment.moved', entity: { type: 'shipment', external_id: 'S-1' } };
  const ORDER_OF_NOBODY = {
    event_type: 'order.placed',
    entity: { type: 'order', external_id: 'O-1' },
    payload: { customer_id: {} },
  };
  const envelopes: readonly [string, Code, string, Readonly<Record<string, unknown>>][] = [
    ['without event type', 'envelope.invalid', '/event_type', { event_type: undefined }],
    ['without entity', 'envelope.invalid', '/entity', { entity: undefined }],
    ['without payload', 'envelope.invalid', '/payload', { payload: undefined }],
    ['with a payload that is a list', 'envelope.invalid', '/payload', { payload: [] }],
    ['with business data beside the payload', 'envelope.unknown_part', '/amount', { amount: 5 }],
    [
      'with a state that its event type does not look at',
      'envelope.invalid',
      '/expected_current_state',
      { expected_current_state: 'PAID' },
    ],
    ['with more retries than it may ask for', 'envelope.invalid', '/retry/max_retry', { retry: { max_retry: 51 } }],
    ['with a word of its own in the passport', 'envelope.unknown_part', '/retry/cap', { retry: { cap: 5 } }],
    ['with a link to no system', 'system.unknown', '/links/0/system', { links: [{ system: 'x', external_id: 'E' }] }],
    ['with a reference to nothing', 'reference.invalid', '/payload/customer_id', ORDER_OF_NOBODY],
    ['without a key', 'key.missing', '/idempotency_key', { idempotency_key: undefined }],
    ['with an empty key', 'key.invalid', '/idempotency_key', { idempotency_key: '' }],
    ['with a key with outer blanks', 'key.invalid', '/idempotency_key', { idempotency_key: ' a' }],
    ['with a key with a control character', 'key.invalid', '/idempotency_key', { idempotency_key: 'a\u0000b' }],
    ['with a key that is not in NFC', 'key.invalid', '/idempotency_key', { idempotency_key: 'Cafe\u0301' }],
    ['with a key of 2049 bytes', 'key.invalid', '/idempotency_key', { idempotency_key: 'k'.repeat(2049) }],
    ['with an id of blanks', 'id.invalid', '/entity/external_id', { entity: { type: 'customer', external_id: ' ' } }],
    [
      'with an id with NUL',
      'id.invalid',
      '/entity/external_id',
      { entity: { type: 'customer', external_id: 'a\u0000' } },
    ],
    [
      'with an id of 256 characters',
      'id.invalid',
      '/entity/external_id',
      { entity: { type: 'customer', external_id: 'x'.repeat(256) } },
    ],
    [
      'with an id that is an object',
      'id.invalid',
      '/entity/external_id',
      { entity: { type: 'customer', external_id: {} } },
    ],
    ['without version', 'version.invalid', '/version', { version: null }],
    ['with a version that is no integer', 'version.invalid', '/version', { version: 1.5 }],
    ['with a negative version', 'version.invalid', '/version', { version: -1 }],
    ['without time', 'occurred_at.invalid', '/occurred_at', shipment],
    ['with a time that is none', 'occurred_at.invalid', '/occurred_at', { occurred_at: 'yesterday' }],
    ['from the future', 'occurred_at.in_future', '/occurred_at', { occurred_at: inOneHour }],
    ['of an unknown event type', 'event_type.unknown', '/event_type', { event_type: 'customer.vanished' }],
    [
      'about an unknown entity type',
      'entity_type.unknown',
      '/entity/type',
      { entity: { type: 'robot', external_id: '1' } },
    ],
    [
      'about another entity type',
      'entity_type.mismatch',
      '/entity/type',
      { entity: { type: 'order', external_id: '1' } },
    ],
    [
      'about a record of an unknown system',
      'system.unknown',
      '/entity/system',
      { entity: { type: 'customer', external_id: '1', system: 'sap' } },
    ],
  ];
  test.each(envelopes)('an envelope %s: %s at %s, and nothing is stored', async (_name, code, at, parts) => {
    const count = async (): Promise<unknown> => shop.query('SELECT count(*) FROM events');
    const before = await count();
    expectProblem(await send(customerEnvelope('C-refused', parts)), code, at);
    expect(await count()).toEqual(before);
  });

  test('ids of 255 characters and keys of 2048 bytes are taken whole', async () => {
    const entity = { type: 'customer', external_id: 'é'.repeat(255) };
    expect((await send(customerEnvelope('C-8', { entity, idempotency_key: 'k'.repeat(2048) }))).status).toBe(202);
  });

  test('503 with Retry-After while the key is blocked, and the retry is accepted', async () => {
    const frozen = await holdLock(
      shop.databaseUrl,
      `INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
       VALUES ('crm:customer.updated', 'customer:C-9:v1', gen_random_uuid(), '')`,
    );
    const answer = await send(customerEnvelope('C-9'));
    await frozen.release();
    expectProblem(answer, 'storage.unavailable');
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await send(customerEnvelope('C-9'))).status).toBe(202);
  });

  testThatAnswersAreDescribed(shop);
});
