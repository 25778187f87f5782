import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed } from './shop-api.js';

describe('GET /v1/events/{event_id}', () => {
  const shop = serveShop();

  test('200: what it said, what became of it, and where it went', async () => {
    const { body } = await shop.ask('crm', 'POST /v1/events', {
      body: customerEnvelope('C-1', { correlation_id: 'checkout-1', occurred_at: '2025-01-01T12:00:00.000+08:00' }),
    });
    const eventId = String(body?.['event_id']);
    const answer = await eventually(async () => {
      const found = await shop.ask('viewer', `GET /v1/events/${eventId}`);
      expect(found.body).toMatchObject({ status: 'COMPLETED', deliveries: [{ status: 'dead' }] });
      return found;
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      event_id: eventId,
      source: 'crm',
      event_type: 'customer.updated',
      idempotency_key: 'customer:C-1:v1',
      entity: { system: 'crm', type: 'customer', external_id: 'C-1' },
      version: '1',
      occurred_at: '2025-01-01T04:00:00Z',
      correlation_id: 'checkout-1',
      received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      status: 'COMPLETED',
      outcome: 'applied',
      internal_id: expect.any(String),
      revision: 1,
      contract: { read: 1, decided: 1 },
      payload: { name: 'C-1 v1' },
      trace: expect.arrayContaining([expect.objectContaining({ node: 'crm', status: 'RECEIVED', event_id: eventId })]),
      deliveries: [
        {
          target: 'erp',
          status: 'dead',
          wanted_revision: 1,
          reached_revision: 0,
          dirty: false,
          attempts: 4,
          reason_code: 'retry.exhausted',
          reason: expect.stringContaining('target.unreachable'),
        },
      ],
    });
    const hops = answer.body?.['trace'] as readonly { at: string; node: string; status: string }[];
    expect(hops.map(({ node, status }) => `${node} ${status}`)).toEqual([
      'crm RECEIVED',
      'worker PROCESSING',
      'worker COMPLETED',
      ...Array<string>(3).fill('erp FAILED'),
      'erp DEAD',
    ]);
    expect(hops.map(({ at }) => at)).toEqual(hops.map(({ at }) => at).toSorted());
  });

  test('200: an event that asks for retries of its own gets them, and each attempt says how it came to be made', async () => {
    const retry = { max_retry: 1, backoff_base: 0.1, backoff_jitter: 0, retry_count: 4, reject_reason: 'HTTP 500' };
    const sent = await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-R', { retry }) });
    const copy = await shop.ask('crm', 'POST /v1/events', {
      body: customerEnvelope('C-R', { retry: { max_retry: 9 } }),
    });
    expect(copy.body).toMatchObject({ verdict: 'duplicate', event_id: sent.body?.['event_id'] });
    const { body } = await eventually(async () => {
      const found = await shop.ask('viewer', `GET /v1/events/${String(sent.body?.['event_id'])}`);
      expect(found.body).toMatchObject({ deliveries: [{ status: 'dead', attempts: 2 }] });
      return found;
    });
    expect(body?.['retry']).toEqual(retry);
    const hops = body?.['trace'] as readonly Readonly<Record<string, unknown>>[];
    const attempts = hops.filter(({ status }) => status !== 'RECEIVED' && status !== 'PROCESSING');
    const reason = { reject_reason: 'target.unreachable', retry_interval: 0.1 };
    expect(attempts).toEqual([
      expect.objectContaining({ node: 'worker', status: 'COMPLETED', retry_count: 0 }),
      expect.objectContaining({ node: 'erp', status: 'FAILED', retry_count: 0 }),
      expect.objectContaining({ node: 'erp', status: 'DEAD', retry_count: 1, ...reason }),
    ]);
    expect(attempts[1]).not.toHaveProperty('reject_reason');
  });

  test('200: the event that was set aside names the one that was kept', async () => {
    const first = await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-2') });
    const other = customerEnvelope('C-2', { payload: { name: 'another' } });
    const second = await shop.ask('crm', 'POST /v1/events', { body: other });
    const answer = await shop.ask('viewer', `GET /v1/events/${String(second.body?.['conflict_event_id'])}`);
    expect(answer.body).toMatchObject({ conflicts_with: first.body?.['event_id'], payload: { name: 'another' } });
  });

  test('200: the id may be written in capitals', async () => {
    const { body } = await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-3') });
    const eventId = String(body?.['event_id']);
    const answer = await shop.ask('viewer', `GET /v1/events/${eventId.toUpperCase()}`);
    expect(answer.body).toMatchObject({ event_id: eventId });
  });

  test.each(['01890a5d-ac96-774b-bcce-b302099a8057', '00000000-0000-0000-0000-000000000000', '42', '%20', '%00'])(
    '404 for %s',
    async (id) => {
      expectProblem(await shop.ask('viewer', `GET /v1/events/${id}`), 'event.not_found');
    },
  );

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/events/42'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
