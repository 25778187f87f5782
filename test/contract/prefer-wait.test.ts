import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service-process.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, shopVariables, testThatAnswersAreDescribed, type Answer, type ShopApi } from './shop-api.js';

const WAIT = { prefer: 'wait=30' };
const FINAL = { status: 'COMPLETED', outcome: 'applied', internal_id: expect.stringMatching(/^[0-9a-f-]{36}$/) };

describe('Prefer: wait, where workers run', () => {
  const shop = serveShop();

  test('a new event is answered 200 with its final outcome, and so is its copy', async () => {
    const sent = { body: customerEnvelope('W-1'), headers: { ...WAIT, 'x-correlation-id': 'waiting' } };
    const first = await shop.ask('crm', 'POST /v1/events', sent);
    expect(first).toMatchObject({ status: 200, body: { verdict: 'accepted', ...FINAL } });
    expect(first.headers.get('preference-applied')).toBe('wait=30');
    const copy = await shop.ask('crm', 'POST /v1/events', sent);
    expect(copy).toMatchObject({ status: 200, body: { ...first.body, verdict: 'duplicate' } });
  });

  test('the way of the framework waits like the direct one', async () => {
    const sent = { body: customerEnvelope('W-2'), headers: WAIT };
    const answer = await shop.ask('crm', 'POST /v1/events?', sent);
    expect(answer).toMatchObject({ status: 200, body: { verdict: 'accepted', ...FINAL } });
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
  });

  test('an outcome that is no effect is final as well, with its reason', async () => {
    await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('W-3', { version: 9 }), headers: WAIT });
    const stale = { body: customerEnvelope('W-3', { version: 8 }), headers: WAIT };
    const answer = await shop.ask('crm', 'POST /v1/events', stale);
    expect(answer).toMatchObject({ status: 200, body: { verdict: 'accepted', outcome: 'stale' } });
  });

  test('a webhook stays 200 and tells the outcome', async () => {
    const body = { event_type: 'customer.updated', customer_id: 'W-4', version: 1 };
    const answer = await shop.ask('crm', 'POST /v1/webhooks/crm', { body, headers: WAIT });
    expect(answer).toMatchObject({ status: 200, body: { verdict: 'accepted', ...FINAL } });
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
  });

  test('a batch waits for all of its items; what is refused or in conflict waits for nothing', async () => {
    const good = customerEnvelope('W-5');
    const body = [good, 'no envelope', good, { ...good, payload: { name: 'other' } }, customerEnvelope('W-6')];
    const answer = await shop.ask('crm', 'POST /v1/events/batch', { body, headers: WAIT });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          { verdict: 'accepted', ...FINAL },
          { verdict: 'refused', code: 'envelope.invalid' },
          { verdict: 'duplicate', ...FINAL },
          { verdict: 'conflict' },
          { verdict: 'accepted', ...FINAL },
        ],
      },
    });
    expect(answer.headers.get('preference-applied')).toBe('wait=30');
  });

  test('problems are answered as ever and say nothing of a wait', async () => {
    const other = { body: customerEnvelope('W-1', { payload: { name: 'other' } }), headers: WAIT };
    const conflict = await shop.ask('crm', 'POST /v1/events', other);
    expect(conflict).toMatchObject({ status: 422, body: { code: 'key.conflict' } });
    const refused = await shop.ask('crm', 'POST /v1/events', { body: {}, headers: WAIT });
    expectProblem(refused, 'envelope.invalid', '/entity');
    for (const { headers } of [conflict, refused]) expect(headers.has('preference-applied')).toBe(false);
  });

  testThatAnswersAreDescribed(shop);
});

describe('Prefer: wait, where no worker runs yet', () => {
  const shop = serveShop({}, 'api');

  const send = async (externalId: string, prefer: string): Promise<Answer> =>
    shop.ask('crm', 'POST /v1/events', { body: customerEnvelope(externalId), headers: { prefer } });

  test('202 when the wait is over before the event is final; its copy is a duplicate as ever', async () => {
    for (const [at, status] of [202, 200].entries()) {
      const answer = await send('N-1', 'wait=1');
      expect(answer).toMatchObject({ status, body: { verdict: ['accepted', 'duplicate'][at], status: 'RECEIVED' } });
      expect(answer.headers.get('preference-applied')).toBe('wait=1');
    }
  });

  test.each(['wait=soon', 'wait', 'respond-async', 'wait=0'])('%s asks for no wait', async (prefer) => {
    const answer = await send(`N-${prefer}`, prefer);
    expect(answer).toMatchObject({ status: 202, body: { status: 'RECEIVED' } });
    expect(answer.headers.has('preference-applied')).toBe(false);
  });

  test('a failed attempt and a parked event are not final: the sender waits on, and is told where it stands', async () => {
    const states = [
      { externalId: 'N-failed', work: `status = 'due', reject_reason = 'event.undecidable'`, status: 'FAILED' },
      {
        externalId: 'N-parked',
        work: `status = 'waiting', waits_for = '{a test}', reject_reason = 'parked.for_a_test'`,
        status: 'PARKED',
      },
    ];
    for (const { externalId, work, status } of states) {
      const body = customerEnvelope(externalId);
      await shop.ask('crm', 'POST /v1/events', { body });
      await shop.query(
        `UPDATE work SET ${work}, next_retry_time = now() + interval '1 day'
          WHERE key IN (SELECT event_id::text FROM events WHERE external_id = $1)`,
        [externalId],
      );
      const copy = await shop.ask('crm', 'POST /v1/events', { body, headers: { prefer: 'wait=1' } });
      expect(copy).toMatchObject({ status: 200, body: { verdict: 'duplicate', status } });
    }
  });

  test('hundreds wait on few connections, the door stays open, and the worker of another process ends their wait', async () => {
    const waiting = Array.from({ length: 300 }, async (_, at) => send(`N-many-${at}`, 'wait=30'));
    await eventually(async () => {
      const rows = await shop.query(`SELECT 1 FROM events WHERE external_id LIKE 'N-many-%'`);
      expect(rows).toHaveLength(300);
    });
    expect(await send('N-between', '')).toMatchObject({ status: 202 });
    const gone = await leaveWhileWaiting(shop);

    const worker = await startService({ env: shopVariables(shop.databaseUrl), role: 'worker' });
    const answers = await Promise.all(waiting);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, body: { verdict: 'accepted', ...FINAL } });
    expect(await send(gone, 'wait=30')).toMatchObject({ status: 200, body: { verdict: 'duplicate', ...FINAL } });
    await worker.stop();
  });

  testThatAnswersAreDescribed(shop);
});

/** Sends an event, waits until it is stored and breaks the connection off; returns its external id. */
async function leaveWhileWaiting(shop: ShopApi): Promise<string> {
  const body = JSON.stringify(customerEnvelope('N-gone'));
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-api-key': SHOP_SECRETS.CRM_API_KEY,
    ...WAIT,
  };
  const asked = request(`${shop.service.url}/v1/events`, { method: 'POST', headers });
  asked.on('error', () => undefined).end(body);
  await eventually(async () => {
    expect(await shop.query(`SELECT 1 FROM events WHERE external_id = 'N-gone'`)).toHaveLength(1);
  });
  const closed = new Promise((resolve) => asked.once('close', resolve));
  asked.destroy();
  await closed;
  return 'N-gone';
}
