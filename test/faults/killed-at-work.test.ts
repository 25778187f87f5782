import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { CREDENTIALS, Installation } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';

describe('a worker is killed while its calls are out, and the target ignores idempotency keys', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({
      contract: 'test/faults/customers.crosswalk.yaml',
      roles: ['api', 'worker'],
      redisUrl: sharedRedisUrl(),
    });
  });

  afterAll(() => crosswalk.stop());

  test('each of them is taken up by the next worker, and no customer has a second record', async () => {
    await send('updated', 1);
    await crosswalk.idle();
    await crosswalk.erp.scriptFaults([
      { kind: 'ignore_idempotency_key', times: '*' },
      { kind: 'timeout_before_applying', method: 'PUT' },
      { kind: 'timeout_before_applying', method: 'POST' },
      // Carried out although nobody is left to hear of it.
      { kind: 'delay', ms: 1_000, method: 'POST' },
    ]);
    await send('updated', 2);
    await untilUnanswered(['PUT']);
    await send('never-arrived', 1);
    await untilUnanswered(['PUT', 'POST']);
    await send('carried-out', 1);
    await untilUnanswered(['PUT', 'POST', 'POST']);

    await crosswalk.killNewestProcess();
    await send('updated', 3);
    await crosswalk.startProcesses(['worker']);
    await crosswalk.idle();

    const names = (await crosswalk.erp.records('customers')).map(
      ({ raw }) => (JSON.parse(raw) as { name: string }).name,
    );
    expect(names.sort()).toEqual(['carried-out v1', 'never-arrived v1', 'updated v3']);
    for (const customerId of ['updated', 'never-arrived', 'carried-out']) {
      const internalId = await crosswalk.client().internalId('crm', 'customer', customerId);
      const { mappings, deliveries } = await crosswalk.client().entity('customer', internalId);
      const records = await crosswalk.erp.records('customers');
      const external_id = records.find(({ ref }) => ref === internalId)?.id;
      expect(mappings).toContainEqual(expect.objectContaining({ system: 'erp', state: 'linked', external_id }));
      expect(deliveries).toMatchObject([{ status: 'delivered' }]);
    }
  });

  async function send(customerId: string, version: number): Promise<void> {
    const fields = {
      event_type: 'customer.updated',
      customer_id: customerId,
      version,
      name: `${customerId} v${version}`,
    };
    const headers = { 'x-api-key': CREDENTIALS.CRM_API_KEY };
    const answer = await crosswalk.client().sendWebhook('crm', JSON.stringify(fields), headers);
    expect(answer.body).toMatchObject({ verdict: 'accepted' });
  }

  /** Waits until the ERP has these calls in hand. */
  async function untilUnanswered(methods: readonly string[]): Promise<void> {
    await eventually(
      async () => {
        const unanswered = (await crosswalk.erp.calls()).filter(({ status }) => status === null);
        expect(unanswered.map(({ method }) => method)).toEqual(methods);
      },
      { everyMs: 20 },
    );
  }
});
