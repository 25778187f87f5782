import { beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { isRecognised, openGuardedInbox, type GuardedInbox } from '../../support/guarded-inbox.js';
import { eventually } from '../../support/eventually.js';
import { startRedisProxy, type RedisProxy } from '../../support/redis-proxy.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';
import { readShopContract } from '../../support/shop-contract.js';
import { suiteResources } from '../../support/suite-resources.js';
import { createTestDatabase } from '../../support/test-database.js';

/** Whatever happens to Redis: the first is accepted once, every copy is a duplicate of it, and nobody waits for long. */
describe('a Redis in trouble costs the guard and nothing else', () => {
  const closeLater = suiteResources();
  let server: RedisServer;
  let proxy: RedisProxy;
  let inbox: GuardedInbox;
  let number = 0;

  beforeAll(async () => {
    const contract = await readShopContract();
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    server = await startRedis();
    closeLater(async () => server.stop());
    proxy = await startRedisProxy(server);
    closeLater(async () => proxy.close());
    inbox = await openGuardedInbox({ contract, databaseUrl: storage.url, redisUrl: proxy.url });
    closeLater(async () => inbox.close());
    await inbox.makeCopiesUsual();
  });

  const command = async <T>(use: (redis: Redis) => Promise<T>, url = server.url): Promise<T> => {
    const redis = new Redis(url);
    try {
      return await use(redis);
    } finally {
      redis.disconnect();
    }
  };

  async function expectOneEvent(externalId: string): Promise<void> {
    const verdicts = [];
    for (let copy = 0; copy < 5; copy++) verdicts.push(await inbox.send({ externalId }));
    expect(verdicts.map(({ kind }) => kind)).toEqual(['accepted', ...Array<string>(4).fill('duplicate')]);
    expect(new Set(verdicts.map(({ eventId }) => eventId)).size).toBe(1);
  }

  /** New events, because a memory that was there before proves nothing. */
  const expectRecognition = async (): Promise<void> =>
    eventually(async () => {
      const externalId = `recovered-${number++}`;
      await inbox.send({ externalId });
      await eventually(async () => expect(isRecognised(await inbox.send({ externalId }))).toBe(true), {
        deadlineMs: 2_000,
      });
    });

  /** The longest of a few calls, in milliseconds; the first of them meets the trouble. */
  async function longestAnswer(externalId: string): Promise<number> {
    let longestMs = 0;
    for (let call = 0; call < 20; call++) {
      const startedAt = performance.now();
      await inbox.send({ externalId });
      longestMs = Math.max(longestMs, performance.now() - startedAt);
    }
    return longestMs;
  }

  test('emptied', async () => {
    await expectRecognition();
    await inbox.send({ externalId: 'before-flush' });
    await command(async (redis) => redis.flushall());
    expect(await inbox.send({ externalId: 'before-flush' })).toMatchObject({ kind: 'duplicate' });
    await expectOneEvent('after-flush');
    await expectRecognition();
  });

  test('evicting', async () => {
    await command(async (redis) => {
      const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
      await redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
      await redis.config('SET', 'maxmemory', String(used + 100_000));
      const filling = redis.pipeline();
      for (let at = 0; at < 3_000; at++) filling.set(`filling-${at}`, 'x'.repeat(200));
      await filling.exec();
      expect(Number(/evicted_keys:(\d+)/.exec(await redis.info('stats'))?.[1])).toBeGreaterThan(0);
    });
    for (let at = 0; at < 20; at++) await expectOneEvent(`evicting-${at}`);
    await command(async (redis) => {
      await redis.config('SET', 'maxmemory', '0');
      await redis.flushall();
    });
    await expectRecognition();
  });

  test('full: it takes no writes', async () => {
    await command(async (redis) => {
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
      await redis.config('SET', 'maxmemory', '1');
    });
    await expectOneEvent('full');
    await eventually(() => expect(inbox.guard.isOn).toBe(false));
    await expectOneEvent('full-and-bypassed');
    await command(async (redis) => redis.config('SET', 'maxmemory', '0'));
    await expectRecognition();
  });

  test('failing over to an empty replica, which takes no writes at first', async () => {
    const replica = await startRedis();
    try {
      await command(async (redis) => {
        await redis.config('SET', 'replica-serve-stale-data', 'yes');
        await redis.replicaof('127.0.0.1', '1');
      }, replica.url);
      await inbox.send({ externalId: 'before-failover' });
      proxy.leadTo(replica);
      expect(await inbox.send({ externalId: 'before-failover' })).toMatchObject({ kind: 'duplicate' });
      await expectOneEvent('on-the-replica');
      expect(inbox.guard.isOn).toBe(false);
      await command(async (redis) => redis.replicaof('NO', 'ONE'), replica.url);
      await expectRecognition();
    } finally {
      proxy.leadTo(server);
      await replica.stop();
    }
    await expectRecognition();
  });

  test('slow: the first request waits for it, and then nobody', async () => {
    await expectRecognition();
    proxy.delayAnswers(5_000);
    // The limit is 50 ms; the rest is for PostgreSQL and a busy machine, and far from what Redis would take.
    expect(await longestAnswer('slow')).toBeLessThan(2_500);
    expect(inbox.guard.isOn).toBe(false);
    proxy.delayAnswers(0);
    await expectRecognition();
  });

  test('frozen: the same, and what was on its way does not pile up', async () => {
    await expectRecognition();
    const pid = Number(/process_id:(\d+)/.exec(await command(async (redis) => redis.info('server')))?.[1]);
    process.kill(pid, 'SIGSTOP');
    try {
      expect(await longestAnswer('frozen')).toBeLessThan(2_500);
      expect(inbox.guard.isOn).toBe(false);
      await expectOneEvent('frozen-too');
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expectRecognition();
  });

  test('gone, and back empty', async () => {
    await inbox.send({ externalId: 'before-stop' });
    await server.stop();
    expect(await inbox.send({ externalId: 'before-stop' })).toMatchObject({ kind: 'duplicate' });
    await expectOneEvent('while-gone');
    expect(inbox.guard.isOn).toBe(false);
    await server.start();
    expect(await inbox.send({ externalId: 'before-stop' })).toMatchObject({ kind: 'duplicate' });
    await expectRecognition();
  });
});
