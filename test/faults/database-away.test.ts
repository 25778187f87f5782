import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/crosswalk-client.js';
import { startDatabaseProxy } from '../support/database-proxy.js';
import type { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { CREDENTIALS, Installation } from '../support/installation.js';

/** Without Redis, so that the queues lose their backend as well. */
describe('the database goes away during ingest', () => {
  let crosswalk: Installation;
  let proxy: DatabaseProxy;

  beforeAll(async () => {
    crosswalk = await Installation.start({
      contract: 'test/faults/customers.crosswalk.yaml',
      roles: ['api', 'worker'],
      databaseUrl: async (url) => {
        proxy = await startDatabaseProxy(url);
        return proxy.url;
      },
    });
  });

  afterAll(async () => {
    await crosswalk.stop();
    await proxy.close();
  });

  function send(customerId: string): Promise<Answer> {
    const body = JSON.stringify({
      event_type: 'customer.updated',
      customer_id: customerId,
      version: 1,
      name: customerId,
    });
    return crosswalk.client().sendWebhook('crm', body, { 'x-api-key': CREDENTIALS.CRM_API_KEY });
  }

  function expectTryAgain(answer: Answer): void {
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage.unavailable' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }

  async function expectAppliedOnce(customerIds: readonly string[]): Promise<void> {
    await crosswalk.idle();
    for (const customerId of customerIds) {
      expect(await crosswalk.count('FROM events WHERE external_id = $1', [customerId])).toBe(1);
      const internalId = await crosswalk.client().internalId('crm', 'customer', customerId);
      const entity = await crosswalk.client().entity('customer', internalId);
      expect(entity).toMatchObject({ revision: 1, deliveries: [{ status: 'delivered' }] });
      const records = await crosswalk.erp.records('customers');
      expect(records.filter(({ ref }) => ref === internalId)).toMatchObject([{ writes: 1 }]);
    }
  }

  test('nothing is promised while it is away, single or in a batch; the retries apply once', async () => {
    const customerIds = Array.from({ length: 10 }, (_, at) => `away-${at}`);
    await proxy.cut();
    for (const answer of await Promise.all(customerIds.map(send))) expectTryAgain(answer);
    const envelope = {
      idempotency_key: 'away',
      event_type: 'customer.updated',
      entity: { type: 'customer', external_id: 'away' },
      version: 1,
      payload: {},
    };
    const batch = await crosswalk.client().sendBatch([envelope, { ...envelope, idempotency_key: 'away too' }], {
      'x-api-key': CREDENTIALS.CRM_API_KEY,
    });
    expect(batch).toMatchObject({ status: 503, body: { code: 'storage.unavailable' } });
    expect((await fetch(`${crosswalk.client().url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${crosswalk.client().url}/health/live`)).status).toBe(200);
    expect(await crosswalk.count('FROM events')).toBe(0);

    await proxy.restore();
    await eventually(async () => {
      const answers = await Promise.all(customerIds.map(send));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    });
    await expectAppliedOnce(customerIds);
  });

  test('a commit whose answer was lost is no promise either; the retry is a duplicate of what was stored', async () => {
    proxy.loseAnswerTo('customer:lost-answer:v1');
    const lost = await send('lost-answer');
    expectTryAgain(lost);
    // The statement did commit: the retry finds it.
    const [stored] = await crosswalk.query<{ event_id: string }>('SELECT event_id FROM events WHERE external_id = $1', [
      'lost-answer',
    ]);
    const retried = await send('lost-answer');
    expect(retried).toMatchObject({ status: 200, body: { verdict: 'duplicate', event_id: stored?.event_id } });
    await expectAppliedOnce(['lost-answer']);
  });

  test('everything goes on after it: new events are accepted and delivered', async () => {
    expect((await send('afterwards')).body).toMatchObject({ verdict: 'accepted' });
    await expectAppliedOnce(['afterwards']);
  });
});
