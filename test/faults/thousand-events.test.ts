import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { CREDENTIALS, Installation } from '../support/installation.js';
import { startRedis } from '../support/redis-server.js';
import type { RedisServer } from '../support/redis-server.js';
import { checkCustomers } from './check-customers.js';
import { CUSTOMERS, shuffledCustomerEvents, VERSIONS } from './customer-events.js';
import type { CustomerEvent } from './customer-events.js';

const SENDERS = 24;
/** Set SEED to repeat a run. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

describe(`a thousand events for a hundred customers, shuffled (SEED=${SEED}), each sent three times`, () => {
  let crosswalk: Installation;
  let redis: RedisServer;

  beforeEach(async () => {
    redis = await startRedis();
    crosswalk = await Installation.start({
      contract: 'test/faults/customers.crosswalk.yaml',
      roles: ['all', 'all'],
      redisUrl: redis.url,
      targets: 'in their own processes',
    });
  });

  afterEach(async () => {
    await crosswalk.stop();
    await redis.stop();
  });

  test('two processes: every customer once, at its highest version, in the ERP too', async () => {
    const events = shuffledCustomerEvents(SEED);
    await sendAll(events, () => Promise.resolve());
    await expectAllInOrder(events);
  });

  test('one process is killed in the middle: nothing is lost, nothing is doubled', async () => {
    const events = shuffledCustomerEvents(SEED);
    // Calls that take a while are what a death leaves half done.
    await crosswalk.erp.scriptFaults([{ kind: 'delay', ms: 30, times: '*' }]);
    await sendAll(events, async () => {
      await crosswalk.killNewestProcess();
      await crosswalk.startProcesses(['all']);
    });
    await expectAllInOrder(events);
  });

  test('Redis is emptied in the middle: nothing is lost, nothing is doubled', async () => {
    const events = shuffledCustomerEvents(SEED);
    const client = new Redis(redis.url);
    let emptied = 0;
    await sendAll(events, async () => {
      emptied = await client.dbsize();
      await client.flushall();
    });
    client.disconnect();
    expect(emptied).toBeGreaterThan(0);
    await expectAllInOrder(events);
  });

  /** Sends everything as a careful sender does: whatever is not answered with a 2xx is sent again, wherever it can be. */
  async function sendAll(events: readonly CustomerEvent[], inTheMiddle: () => Promise<void>): Promise<void> {
    const queue = [...events];
    let trouble: Promise<void> | undefined;
    const sender = async (at: number): Promise<void> => {
      for (let event = queue.shift(); event !== undefined; event = queue.shift()) {
        if (queue.length < events.length / 2) trouble ??= inTheMiddle();
        if (!(await isTaken(event, at + queue.length))) queue.push(event);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, (_, at) => sender(at)));
    await trouble;
  }

  async function isTaken({ body }: CustomerEvent, at: number): Promise<boolean> {
    try {
      const answer = await crosswalk.client(at).sendWebhook('crm', body, { 'x-api-key': CREDENTIALS.CRM_API_KEY });
      expect(answer.body.verdict).toMatch(/^(accepted|duplicate)$/);
      return answer.status === 200;
    } catch (error) {
      // The process died under the request: nobody knows what came of it.
      if (String(error).startsWith('TypeError: ')) return false;
      throw error;
    }
  }

  async function expectAllInOrder(sent: readonly CustomerEvent[]): Promise<void> {
    await crosswalk.idle(60_000);
    const findings = await checkCustomers(crosswalk, sent);
    const { lost, doubled, wrong } = findings;
    console.log(`SEED=${SEED}: lost ${lost.length}, doubled ${doubled.length}, wrong ${wrong.length}`);
    expect(findings).toEqual({ lost: [], doubled: [], wrong: [] });
    expect(await crosswalk.count('FROM events')).toBe(CUSTOMERS * VERSIONS);
    expect(await crosswalk.count(`FROM work`)).toBe(0);
  }
});
