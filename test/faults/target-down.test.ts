import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CREDENTIALS, Installation } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';

/** Of the contract: one attempt and three more, 100 ms, 200 ms and then at most 300 ms apart. */
const GAPS_MS = [100, 200, 300];

describe('fault 3: a target answers 503 and times out', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    const roles = ['api', 'api', 'worker', 'worker'] as const;
    const contract = 'test/e2e/retries.crosswalk.yaml';
    crosswalk = await Installation.start({ contract, roles, redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  test('the gaps grow, the limit is reached, and it ends as a dead letter with its reason', async () => {
    await crosswalk.erp.scriptFaults([
      { kind: 'status', status: 503 },
      { kind: 'timeout_before_applying' },
      { kind: 'status', status: 503, times: '*' },
    ]);
    const body = JSON.stringify({ event_type: 'customer.updated', customer_id: 'C', version: 1, name: 'C' });
    const sent = await crosswalk.client().sendWebhook('crm', body, { 'x-api-key': CREDENTIALS.CRM_API_KEY });
    await crosswalk.idle();

    const calls = await crosswalk.erp.calls();
    expect(calls).toHaveLength(1 + GAPS_MS.length);
    const begun = calls.map(({ at }) => Date.parse(at));
    // The databases' clock and ours are one; a millisecond is lost where each of them rounds.
    GAPS_MS.forEach((gapMs, at) => {
      expect((begun[at + 1] ?? 0) - (begun[at] ?? 0)).toBeGreaterThanOrEqual(gapMs - 2);
    });
    const event = await crosswalk.client().event(sent.body.event_id ?? '');
    expect(event).toMatchObject({
      status: 'COMPLETED',
      deliveries: [{ status: 'dead', attempts: calls.length, reason_code: 'retry.exhausted' }],
    });
    expect(await crosswalk.count(`FROM work WHERE status = 'dead' AND reject_reason = 'retry.exhausted'`)).toBe(1);
  });
});
