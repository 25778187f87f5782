import { describe, expect, test } from '@jest/globals';
import { signWebhook } from '../../examples/sign-webhook.js';
import type { Code } from '../../src/domain/sync-error.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer, type Question } from './shop-api.js';

const CUSTOMER = { event_type: 'customer.updated', customer_id: 'C-1', version: 3, name: 'Ada' };

describe('POST /v1/webhooks/{system}', () => {
  const shop = serveShop();

  const send = async (body: unknown, headers: Question['headers'] = {}): Promise<Answer> =>
    shop.ask('crm', 'POST /v1/webhooks/crm', { body, headers });
  const sendSigned = async (body: string, secret: string, sentAt: Date, sentBody = body): Promise<Answer> =>
    shop.ask('nobody', 'POST /v1/webhooks/crm', { body: sentBody, headers: signWebhook(secret, body, sentAt) });

  test('200 accepted, then duplicate by signature or key, and conflict with other content', async () => {
    const first = await send(CUSTOMER);
    expect([first.status, first.body?.['verdict']]).toEqual([200, 'accepted']);
    const again = await sendSigned(JSON.stringify(CUSTOMER), SHOP_SECRETS.CRM_WEBHOOK_SECRET, new Date());
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ verdict: 'duplicate', event_id: first.body?.['event_id'] });
    const other = await send({ ...CUSTOMER, name: 'Bob' });
    expect(other.status).toBe(200);
    expect(other.body).toMatchObject({
      verdict: 'conflict',
      reason_code: 'key.conflict',
      event_id: first.body?.['event_id'],
      conflict_event_id: expect.any(String),
    });
  });

  test.each([
    ['that no rule reads', 'webhook.unmatched', { event_type: 'unheard.of' }],
    ['that lacks a part of its key', 'webhook.unmatched', { ...CUSTOMER, customer_id: undefined }],
    ['whose version is no integer', 'version.invalid', { ...CUSTOMER, version: 'three' }],
    ['whose id is too long', 'id.invalid', { ...CUSTOMER, customer_id: 'x'.repeat(256) }],
    ['that is no object', 'webhook.unmatched', ['a', 'list']],
    ['with NUL in its id', 'id.invalid', { ...CUSTOMER, customer_id: 'C\u0000' }],
  ])('200 for an authentic one %s: kept as %s', async (_name, code, body) => {
    const answer = await send(body);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ verdict: 'unmatched', reason_code: code, detail: expect.stringMatching(/./) });
    const event = await shop.ask('viewer', `GET /v1/events/${String(answer.body?.['event_id'])}`);
    expect(event.body).toMatchObject({ status: 'DEAD', reason_code: code });
    expect((await send(body)).body?.['event_id']).toBe(answer.body?.['event_id']);
  });

  test('401 for a signature of other bytes, with another secret, or too old', async () => {
    const body = JSON.stringify(CUSTOMER);
    const secret = SHOP_SECRETS.CRM_WEBHOOK_SECRET;
    const now = new Date();
    const wrongSecret = `whsec_${Buffer.from('somebody else signs with these..').toString('base64')}`;
    expectProblem(await sendSigned(body, secret, now, `${body} `), 'auth.failed');
    expectProblem(await sendSigned(body, wrongSecret, now), 'auth.failed');
    expectProblem(await sendSigned(body, secret, new Date(now.getTime() - 3_600_000)), 'auth.failed');
    expectProblem(await shop.ask('erp', 'POST /v1/webhooks/crm', { body }), 'auth.failed');
  });

  test('nothing of an unauthentic one is stored', async () => {
    const count = async (): Promise<unknown> => shop.query('SELECT count(*) FROM events');
    const before = await count();
    await shop.ask('nobody', 'POST /v1/webhooks/crm', { body: { ...CUSTOMER, version: 77 } });
    await shop.ask('nobody', 'POST /v1/webhooks/crm', { body: { event_type: 'burns.keys' } });
    expect(await count()).toEqual(before);
  });

  test('404 for a system that sends nothing', async () => {
    expectProblem(await shop.ask('crm', 'POST /v1/webhooks/sap', { body: CUSTOMER }), 'resource.not_found');
  });

  const malformed: readonly [string, Code, unknown, Question['headers']?][] = [
    ['no JSON', 'body.not_json', 'event_type=customer.updated'],
    ['no UTF-8', 'body.not_utf8', Buffer.from([0x22, 0xff, 0x22])],
    ['one name twice', 'body.duplicate_name', '{"version":1,"version":2}'],
    ['half a surrogate pair', 'body.lone_surrogate', '{"name":"\\ud83d"}'],
    ['deep nesting', 'body.too_deep', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['more than 1 MiB', 'body.too_large', JSON.stringify({ a: 'x'.repeat(1_048_576) })],
    ['a page', 'body.media_type', '<p>', { 'content-type': 'text/html' }],
  ];
  test.each(malformed)('malformed bytes, %s: %s', async (_name, code, body, headers = {}) => {
    expectProblem(await send(body, headers), code);
  });

  testThatAnswersAreDescribed(shop);
});
