import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Installation } from '../../support/installation.js';
import { PublicCase } from '../../support/public-case.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import { KEYS, send } from './case-senders.js';

const CONTRACT = 'test/e2e/public-cases/dead-letters.crosswalk.yaml';

describe('public cases: what was given up', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({ contract: CONTRACT, roles: ['all', 'all'], redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  beforeEach(() => crosswalk.erp.reset());

  async function receive(body: string): Promise<string> {
    const answer = await send(crosswalk.client(), 'crm-a', body);
    expect(answer.status).toBe(200);
    await crosswalk.idle();
    return answer.body.event_id ?? '';
  }

  test.each(['400', '422'])(
    'C37: a payload that the target refuses with %s is called once and listed at once',
    async (variant) => {
      const c37 = new PublicCase('C37');
      await crosswalk.erp.scriptFaults([{ kind: 'status', status: Number(variant), body: { error: 'email invalid' } }]);
      const a = await receive(c37.body('a', { variant }));
      const b = await receive(c37.body('b', { variant }));

      expect((await crosswalk.erp.calls()).map(({ status }) => status)).toEqual([Number(variant), 201]);
      const letters = (await crosswalk.client().deadLetters('&code=target.refused')).filter(
        (letter) => letter.event_id === a,
      );
      expect(letters).toMatchObject([{ kind: 'delivery', attempts: 1, reason: expect.stringContaining(variant) }]);
      expect(letters[0]?.reason).toContain('email invalid');
      expect(await crosswalk.client().event(b)).toMatchObject({
        outcome: 'applied',
        deliveries: [{ status: 'delivered' }],
      });
    },
  );

  test('C41: replaying all that is dead does not roll back what a newer event did', async () => {
    const c41 = new PublicCase('C41');
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 400 }]);
    const a = await receive(c41.body('a'));
    await receive(c41.body('b'));
    await crosswalk.erp.clearCalls();
    const { replay_id: replayId } = await crosswalk
      .client()
      .beginReplay({ filter: { source: 'crm-a', internal_id: (await crosswalk.client().event(a)).internal_id } });
    await eventually(async () => expect((await crosswalk.client().replay(replayId)).status).toBe('done'));
    await crosswalk.idle();

    const { internal_id: internalId = '', trace } = await crosswalk.client().event(a);
    expect((await crosswalk.client().entity('customer', internalId)).data).toMatchObject({ s: 'new' });
    expect(trace.at(-1)).toMatchObject({ node: 'erp-a', status: 'SUPERSEDED', reason_code: 'work.superseded' });
    expect(await crosswalk.client().deadLetters(`&internal_id=${internalId}`)).toEqual([]);
    expect(await crosswalk.erp.calls()).toEqual([]);
  });

  test('C44: one correlation id through receipt, attempts, dead letter, replay and delivery', async () => {
    const c44 = new PublicCase('C44');
    await crosswalk.erp.scriptFaults([
      { kind: 'status', status: 503, times: 2, method: 'POST' },
      { kind: 'status', status: 400, times: 1, method: 'POST' },
    ]);
    const headers = { ...KEYS['crm-a'], 'x-correlation-id': 'corr-abc-123' };
    const answer = await crosswalk.client().sendWebhook('crm-a', c44.body('a'), headers);
    expect(answer.headers.get('x-correlation-id')).toBe('corr-abc-123');
    await crosswalk.idle();
    const [letter] = await crosswalk.client().deadLetters('&correlation_id=corr-abc-123');
    expect(letter).toMatchObject({ correlation_id: 'corr-abc-123', reason_code: 'target.refused', attempts: 3 });
    expect(await crosswalk.client(1).replayLetter(letter?.letter_id ?? '')).toMatchObject({
      body: { outcome: 'replayed' },
    });
    await crosswalk.idle();

    const { hops } = await crosswalk.client().trace('corr-abc-123');
    expect(hops.map(({ node, status }) => `${node} ${status}`)).toEqual([
      'crm-a RECEIVED',
      'worker PROCESSING',
      'worker COMPLETED',
      'erp-a FAILED',
      'erp-a FAILED',
      'erp-a DEAD',
      'erp-a REPLAYED',
      'erp-a DELIVERED',
    ]);
    const calls = await crosswalk.erp.calls();
    expect(calls).toHaveLength(4);
    for (const { headers: sent } of calls) expect(sent).toMatchObject({ 'x-correlation-id': 'corr-abc-123' });
    expect(await crosswalk.client().audit('correlation_id=corr-abc-123')).toMatchObject([
      { action: 'dead_letter.replay' },
    ]);

    const b = await send(crosswalk.client(), 'crm-a', c44.body('b'));
    expect(b.headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/);
    await crosswalk.idle();
  });

  test('Bull Board shows the queues on Redis as well, and an alarm that is set', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 429, retry_after: 3, times: 1 }]);
    await send(crosswalk.client(), 'crm-a', '{"entity":"customer","id":"B1","event":"made","version":1,"data":{}}');
    await eventually(async () => {
      const queues = await crosswalk.client().queues();
      expect(queues.map(({ name }) => name).toSorted()).toEqual(['deliver-erp-a', 'event-retries']);
      expect(queues.find(({ name }) => name === 'deliver-erp-a')?.counts).toMatchObject({ delayed: 1 });
    });
    await crosswalk.idle();
  });

  test('a replay of many letters outlives the process that began it and was killed', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 400, times: 6 }]);
    for (let at = 0; at < 6; at++) {
      await send(
        crosswalk.client(),
        'crm-a',
        `{"entity":"customer","id":"K${at}","event":"made","version":1,"data":{}}`,
      );
    }
    await crosswalk.idle();
    const { replay_id: replayId, total } = await crosswalk
      .client(1)
      .beginReplay({ pace: 1, filter: { target: 'erp-a', from: '2025-01-01T00:00:00Z' } });
    expect(total).toBeGreaterThanOrEqual(6);
    await crosswalk.killNewestProcess();
    await eventually(
      async () => expect(await crosswalk.client().replay(replayId)).toMatchObject({ status: 'done', done: total }),
      {
        deadlineMs: 60_000,
      },
    );
    await crosswalk.idle();
    expect(await crosswalk.client().deadLetters()).toEqual([]);
    expect(
      await crosswalk.count(
        `FROM audit WHERE action = 'dead_letter.replay' AND subject LIKE 'erp-a:%' AND at > (SELECT started_at FROM replays WHERE replay_id = $1)`,
        [replayId],
      ),
    ).toBe(total);
  });
});
