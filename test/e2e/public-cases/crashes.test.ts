import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CrosswalkClient } from '../../support/crosswalk-client.js';
import { startFreezableProcess } from '../../support/freezable-process.js';
import type { FreezableProcess } from '../../support/freezable-process.js';
import { eventually } from '../../support/eventually.js';
import { Installation } from '../../support/installation.js';
import { PublicCase } from '../../support/public-case.js';
import { startRedis } from '../../support/redis-server.js';
import type { RedisServer } from '../../support/redis-server.js';
import { CASES_CONTRACT, send } from './case-senders.js';

const ANSWER_WITHIN_MS = 5_000;

describe('public cases: a process dies, Redis is away, a commit is slow or fails', () => {
  let crosswalk: Installation;
  let redis: RedisServer;
  let replica: FreezableProcess;

  beforeAll(async () => {
    redis = await startRedis();
    let database = '';
    crosswalk = await Installation.start({
      contract: CASES_CONTRACT,
      roles: ['all'],
      redisUrl: redis.url,
      databaseUrl: (url) => (database = url),
    });
    replica = await startFreezableProcess(crosswalk, 'api', database);
  });

  afterAll(async () => {
    await crosswalk.stop();
    await redis.stop();
    await replica.proxy.close();
  });

  test('C12: a replica that dies before it has committed anything keeps no key: the retry is applied at once', async () => {
    const c12 = new PublicCase('C12');
    const doomed = new CrosswalkClient(replica.service.url, '');
    const freeze = replica.freezeAt(({ text }) => text.includes('INSERT INTO idempotency_keys'), 'before');
    const dropped = expect(send(doomed, 'shop-a', c12.body('a'))).rejects.toThrow();
    await freeze.frozen;
    await crosswalk.killProcess(replica.service);
    await dropped;

    const b = await send(crosswalk.client(), 'shop-a', c12.body('b'));
    expect(b).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    await crosswalk.idle();
    for (const step of ['c', 'd']) {
      const { body } = await send(crosswalk.client(), 'shop-a', c12.body(step));
      expect(body).toMatchObject({ verdict: 'duplicate', outcome: 'applied', event_id: b.body.event_id });
    }
    const applied = `FROM trace JOIN events USING (event_id) WHERE events.external_id = '4001' AND outcome = 'applied'`;
    expect(await crosswalk.count(applied)).toBe(1);
    expect(await crosswalk.count(`FROM mappings WHERE external_id = '4001' AND entity_type = 'order'`)).toBe(1);
  });

  test('C49: without Redis every delivery is answered in time, and each that was taken is applied once', async () => {
    const c49 = new PublicCase('C49');
    const bodies = Array.from({ length: 200 }, (_, i) => c49.body('t', { i: String(i) }));
    await redis.stop();
    const answers = await Promise.all(
      bodies.map(async (body, i) => {
        await delay(10 * i);
        const sentAt = performance.now();
        const { status } = await send(crosswalk.client(), 'shop-a', body);
        expect(performance.now() - sentAt).toBeLessThan(ANSWER_WITHIN_MS);
        return status;
      }),
    );
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await eventually(async () => {
      const ready = (await (await fetch(`${crosswalk.client().url}/health/ready`)).json()) as { status: string };
      expect(ready.status).toBe('degraded');
    });
    await redis.start();
    await crosswalk.idle();

    for (const [i, body] of bodies.entries()) {
      const { body: again } = await send(crosswalk.client(), 'shop-a', body);
      expect({ i, verdict: again.verdict }).toEqual({ i, verdict: answers[i] === 200 ? 'duplicate' : 'accepted' });
    }
    await crosswalk.idle();
    const applied = `FROM trace JOIN events USING (event_id) WHERE events.external_id LIKE 'RD%' AND outcome = 'applied'`;
    expect(await crosswalk.count(applied)).toBe(200);
    expect(await crosswalk.count(`FROM mappings WHERE external_id LIKE 'RD%' AND system = 'shop-a'`)).toBe(200);
  });

  test('C50: a slow commit is applied once, a commit that fails leaves nothing behind', async () => {
    const c50 = new PublicCase('C50');
    // Both happen at the very end of the transaction, when everything in it has been done.
    await crosswalk.query(`CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.idempotency_key LIKE '%TX1%' THEN PERFORM pg_sleep(0.5); END IF;
        IF NEW.idempotency_key LIKE '%TX2%' THEN RAISE EXCEPTION 'rolled back' USING ERRCODE = '40000'; END IF;
        RETURN NULL;
      END $$`);
    await crosswalk.query(`CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON idempotency_keys
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_commit()`);
    await crosswalk.erp.reset();

    const a = await send(crosswalk.client(), 'shop-a', c50.body('a'));
    await crosswalk.idle();
    expect(await crosswalk.client().event(a.body.event_id ?? '')).toMatchObject({ outcome: 'applied' });
    expect((await crosswalk.erp.calls()).map(({ method }) => method)).toEqual(['POST']);

    const b = await send(crosswalk.client(), 'shop-a', c50.body('b'));
    await crosswalk.idle();
    expect(b.status).toBeGreaterThanOrEqual(500);
    expect(await crosswalk.erp.calls()).toHaveLength(1);
    expect(await crosswalk.count(`FROM events WHERE external_id = 'TX2'`)).toBe(0);
    expect(await crosswalk.count(`FROM mappings WHERE external_id = 'TX2'`)).toBe(0);
  });
});
