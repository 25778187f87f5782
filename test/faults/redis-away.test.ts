import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CREDENTIALS, Installation } from '../support/installation.js';
import { startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';

const CUSTOMERS = 30;

describe('Redis goes away during ingest', () => {
  let crosswalk: Installation;
  let redis: RedisServer;

  beforeAll(async () => {
    redis = await startRedis();
    const contract = 'test/faults/customers.crosswalk.yaml';
    crosswalk = await Installation.start({ contract, roles: ['all'], redisUrl: redis.url });
  });

  afterAll(async () => {
    // Whether it can end in order without Redis is a question of its own.
    await crosswalk.killNewestProcess();
    await crosswalk.stop();
    await redis.stop();
  });

  /** One customer after the other; an answer that waits for Redis runs into the client's time-out. */
  async function sendCustomers(name: string): Promise<void> {
    for (let at = 0; at < CUSTOMERS; at++) {
      const customerId = `${name}-${at}`;
      const body = JSON.stringify({
        event_type: 'customer.updated',
        customer_id: customerId,
        version: 1,
        name: customerId,
      });
      const answer = await crosswalk.client().sendWebhook('crm', body, { 'x-api-key': CREDENTIALS.CRM_API_KEY });
      expect(answer).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    }
  }

  async function expectDelivered(name: string): Promise<void> {
    await crosswalk.idle();
    const applied = `FROM trace JOIN events USING (event_id) WHERE trace.outcome = 'applied' AND events.external_id LIKE $1`;
    expect(await crosswalk.count(applied, [`${name}-%`])).toBe(CUSTOMERS);
    const records = await crosswalk.erp.records('customers');
    expect(records.filter(({ raw }) => raw.includes(`"${name}-`))).toHaveLength(CUSTOMERS);
  }

  test('every event is answered, applied and delivered by the sweep, with no Redis at all', async () => {
    await redis.stop();
    await sendCustomers('without');
    await expectDelivered('without');
    expect(await (await fetch(`${crosswalk.client().url}/health/ready`)).json()).toMatchObject({ status: 'degraded' });
  });

  test('deliveries that fail are tried again by the sweep, with no Redis at all', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 503, times: 5 }]);
    await sendCustomers('failing');
    await expectDelivered('failing');
    const retried = `FROM trace WHERE status = 'DELIVERED' AND retry_count > 0 AND reject_reason = 'target.failed'`;
    expect(await crosswalk.count(retried)).toBeGreaterThan(0);
  });

  test('with Redis back, empty, the alarms work again', async () => {
    await redis.start();
    await sendCustomers('with');
    await expectDelivered('with');
    const readiness = await (await fetch(`${crosswalk.client().url}/health/ready`)).json();
    expect(readiness).toMatchObject({ status: 'ok', queues: 'ok' });
  });

  test('a process starts without Redis, and works', async () => {
    await redis.stop();
    await crosswalk.startProcesses(['all']);
    await sendCustomers('started-without');
    await expectDelivered('started-without');
  });

  test('a process ends in order without Redis', async () => {
    expect(await crosswalk.stopNewestProcess()).toBe(0);
  });
});
