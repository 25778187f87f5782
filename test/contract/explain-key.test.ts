import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer, type Caller } from './shop-api.js';

describe('POST /v1/keys/explain', () => {
  const shop = serveShop();

  const explain = async (body: unknown, caller: Caller = 'viewer'): Promise<Answer> =>
    shop.ask(caller, 'POST /v1/keys/explain', { body });
  const stored = async (): Promise<unknown> =>
    shop.query('SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM idempotency_keys) AS keys');

  const CUSTOMER = { event_type: 'customer.updated', customer_id: ' C-1', version: 3, name: 'Ada' };

  test('says what a webhook would be, and stores nothing', async () => {
    const before = await stored();
    expect((await explain({ system: 'crm', body: CUSTOMER })).body).toEqual({
      results: [
        {
          verdict: 'accepted',
          event_type: 'customer.updated',
          idempotency_key: 'customer:C-1:v3',
          scope: 'crm:customer.updated',
          entity: { system: 'crm', type: 'customer', external_id: 'C-1' },
          version: '3',
          strategy: 'overwrite',
          order_by: 'version',
          deliver_to: ['erp'],
          warnings: [],
        },
      ],
    });
    expect(await stored()).toEqual(before);
  });

  test('foresees a duplicate and a conflict by what is stored, digit by digit', async () => {
    const text = (name: string): string => JSON.stringify({ ...CUSTOMER, name }).replace('3', '9007199254740993');
    const first = await shop.ask('crm', 'POST /v1/webhooks/crm', { body: text('Ada') });
    const eventId = first.body?.['event_id'];
    const ask = async (name: string): Promise<Answer> => explain(`{"system":"crm","body":${text(name)}}`);
    expect((await ask('Ada')).body).toMatchObject({ results: [{ verdict: 'duplicate', event_id: eventId }] });
    expect((await ask('Bea')).body).toMatchObject({ results: [{ verdict: 'conflict', event_id: eventId }] });
  });

  test('warns where keys of this kind were used for other content, or one content came under several', async () => {
    const note = (key: string, text: string) =>
      customerEnvelope('P-1', {
        idempotency_key: key,
        event_type: 'payment.completed',
        entity: { type: 'payment', external_id: 'P-1' },
        payload: { text },
      });
    const send = async (body: object): Promise<Answer> => shop.ask('crm', 'POST /v1/events', { body });
    for (const body of [note('p:1', 'a'), note('p:1', 'b')]) await send(body);
    const warningsOf = async (body: object): Promise<unknown> => {
      const answer = await explain({ system: 'crm', envelope: body });
      return (answer.body?.['results'] as readonly { readonly warnings: unknown }[])[0]?.warnings;
    };
    await eventually(async () => {
      expect(await warningsOf(note('p:2', 'a'))).toEqual([
        { kind: 'too_coarse', message: expect.stringContaining('1 times') },
        { kind: 'too_fine', message: expect.stringContaining('`p:1`') },
      ]);
    });
  });

  test('says why an envelope would be refused, or a webhook kept unread', async () => {
    const bad = customerEnvelope('C-9', { version: 'three' });
    expect((await explain({ system: 'crm', envelope: bad })).body).toMatchObject({
      results: [{ verdict: 'refused', code: 'version.invalid', at: '/version' }],
    });
    expect((await explain({ system: 'crm', body: {} })).body).toMatchObject({
      results: [{ verdict: 'unmatched', code: 'webhook.unmatched' }],
    });
    const form = {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      raw: 'event_type=customer.updated',
    };
    expect((await explain({ system: 'crm', ...form })).body).toMatchObject({
      results: [{ verdict: 'unmatched', detail: expect.stringContaining('/customer_id') }],
    });
  });

  test('explains the first elements of a long list and counts the others', async () => {
    const answer = await explain({ system: 'wms', body: { lines: Array.from({ length: 50 }, (_, id) => ({ id })) } });
    expect(answer.body).toMatchObject({ results: expect.any(Array), left_off: 30 });
    expect(answer.body?.['results']).toHaveLength(20);
  });

  test('is for people, and for systems about what they send themselves', async () => {
    expect((await explain({ system: 'crm', body: CUSTOMER }, 'crm')).status).toBe(200);
    expectProblem(await explain({ system: 'crm', body: CUSTOMER }, 'erp'), 'access.denied');
    expectProblem(await explain({ system: 'crm', body: CUSTOMER }, 'nobody'), 'auth.failed');
  });

  test.each([
    ['nothing of it', {}, 'request.invalid'],
    ['no system', { body: {} }, 'request.invalid'],
    ['two payloads', { system: 'crm', body: {}, envelope: {} }, 'request.invalid'],
    ['an unknown part', { system: 'crm', body: {}, heders: {} }, 'request.invalid'],
    ['headers that are no texts', { system: 'crm', body: {}, headers: { a: 1 } }, 'request.invalid'],
    ['raw that is no text', { system: 'crm', raw: {} }, 'request.invalid'],
    ['a list', [], 'request.invalid'],
  ] as const)('is refused with %s', async (_what, body, code) => {
    expectProblem(await explain(body), code);
  });

  test('is refused for a system that sends nothing, and for a body that cannot be read', async () => {
    expectProblem(await explain({ system: 'sap', body: {} }), 'system.unknown', '/system');
    expectProblem(await explain({ system: 'crm', raw: '{' }), 'body.not_json');
    expectProblem(await explain('{"system":'), 'body.not_json');
  });

  testThatAnswersAreDescribed(shop);
});
