import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed } from './shop-api.js';

describe('GET /v1/traces/{correlation_id}', () => {
  const shop = serveShop();

  test('200: the events of one process over all systems and their hops, in order', async () => {
    const parts = { correlation_id: 'checkout/1: ü' };
    const headers = { 'x-correlation-id': 'checkout-1' };
    const events = [
      await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-1'), headers }),
      await shop.ask('erp', 'POST /v1/events', { body: customerEnvelope('E-1'), headers }),
    ].map(({ body }) => body?.['event_id']);
    await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-2', parts) });

    await eventually(async () => {
      const { status, body } = await shop.ask('viewer', 'GET /v1/traces/checkout-1');
      expect(status).toBe(200);
      expect(body).toMatchObject({ correlation_id: 'checkout-1', is_complete: true });
      const shown = body?.['events'] as readonly Record<string, unknown>[];
      expect(shown.map(({ event_id, source, status }) => [event_id, source, status])).toEqual([
        [events[0], 'crm', 'COMPLETED'],
        [events[1], 'erp', 'COMPLETED'],
      ]);
      const hops = body?.['hops'] as readonly { at: string; event_id: string }[];
      expect(new Set(hops.map(({ event_id }) => event_id))).toEqual(new Set(events));
      expect(hops.map(({ at }) => at)).toEqual(hops.map(({ at }) => at).toSorted());
    });
  });

  test.each(['nobody-knows', 'CHECKOUT-1', '%20', 'x'.repeat(3000)])('404 for %s', async (id) => {
    expectProblem(await shop.ask('viewer', `GET /v1/traces/${id}`), 'trace.not_found');
  });

  test('404 for an id with NUL, which no event can carry', async () => {
    expectProblem(await shop.ask('viewer', 'GET /v1/traces/a%00'), 'trace.not_found');
  });

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/traces/checkout-1'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
