import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { sharedRedisUrl } from '../support/shared-redis.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('copies at a door that is guarded by Redis', () => {
  const shop = serveShop({ REDIS_URL: sharedRedisUrl(), QUEUE_PREFIX: `guarded-door-${process.pid}` });

  const event = {
    event_type: 'customer.updated',
    idempotency_key: 'copied',
    entity: { type: 'customer', external_id: 'C-1' },
    version: 1,
    payload: { name: 'Ada' },
  };
  const send = async (headers = {}): Promise<Answer> => shop.ask('crm', 'POST /v1/events', { body: event, headers });

  test('are told the event id without a status; who waits for the outcome is told the status', async () => {
    const first = await send();
    expect(first).toMatchObject({ status: 202, body: { verdict: 'accepted', status: 'RECEIVED' } });
    const eventId = first.body?.['event_id'];
    // What PostgreSQL knows has a status; copies become usual on the way.
    await eventually(
      async () => {
        const copy = await send();
        expect(copy).toMatchObject({ status: 200, body: { verdict: 'duplicate', event_id: eventId } });
        expect(copy.body).not.toHaveProperty('status');
        expect(copy.body).toHaveProperty('correlation_id');
      },
      { everyMs: 1 },
    );
    expect(await send({ prefer: 'wait=5' })).toMatchObject({
      status: 200,
      body: { verdict: 'duplicate', event_id: eventId, status: 'COMPLETED', outcome: 'applied' },
    });
  });

  test('say so where readiness is asked for', async () => {
    await eventually(async () =>
      expect((await shop.ask('nobody', 'GET /health/ready')).body).toMatchObject({ status: 'ok', guard: 'on' }),
    );
  });

  testThatAnswersAreDescribed(shop);
});
