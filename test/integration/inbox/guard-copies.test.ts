import { beforeAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Contract } from '../../../src/domain/contract/contract.js';
import { newEventId } from '../../../src/domain/ids.js';
import type { FullVerdict } from '../../../src/flow/inbox/verdict.js';
import { startDatabaseProxy, type DatabaseProxy } from '../../support/database-proxy.js';
import { eventually } from '../../support/eventually.js';
import { isRecognised, openGuardedInbox, type GuardedInbox } from '../../support/guarded-inbox.js';
import { startRedisProxy, type RedisProxy } from '../../support/redis-proxy.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import { readShopContract } from '../../support/shop-contract.js';
import { shopEvent } from '../../support/shop-event.js';
import { suiteResources } from '../../support/suite-resources.js';
import { createTestDatabase } from '../../support/test-database.js';

/** A busy machine must not decide; what a slow Redis costs is tried elsewhere. */
const PATIENT = { answerWithinMs: 20_000 };

describe('the duplicate guard', () => {
  const closeLater = suiteResources();
  let contract: Contract;
  let inbox: GuardedInbox;
  let proxy: DatabaseProxy;
  let redisProxy: RedisProxy;
  let redis: Redis;

  beforeAll(async () => {
    contract = await readShopContract();
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    proxy = await startDatabaseProxy(storage.url);
    closeLater(async () => proxy.close());
    redis = new Redis(sharedRedisUrl());
    closeLater(async () => redis.quit());
    redisProxy = await startRedisProxy({ url: sharedRedisUrl() });
    closeLater(async () => redisProxy.close());
    inbox = await openGuardedInbox({ contract, databaseUrl: proxy.url, redisUrl: redisProxy.url, ...PATIENT });
    closeLater(async () => inbox.close());
    await inbox.makeCopiesUsual();
  });

  const guardKeys = async (part = ''): Promise<string[]> => redis.keys(`${inbox.prefix}:guard:*${part}*`);
  const keyOf = async (externalId: string): Promise<string> => {
    const keys = await guardKeys(`:customer%3A${externalId}%3A`);
    expect(keys).toHaveLength(1);
    return keys[0] ?? '';
  };
  /** Sends it until the guard has learnt it: while a connection is made anew it learns nothing. Returns its key. */
  const teach = async (externalId: string): Promise<string> =>
    eventually(async () => {
      await inbox.send({ externalId });
      return keyOf(externalId);
    });

  test('costs nothing where no copies come: nothing is asked and nothing is written', async () => {
    const orders = Array.from({ length: 300 }, (_, at) => ({ eventType: 'order.updated', externalId: `first-${at}` }));
    for (const order of orders) expect(await inbox.send(order)).toMatchObject({ kind: 'accepted' });
    expect(await guardKeys('order.updated')).toEqual([]);
    expect(inbox.guard.recognise(shopEvent(contract, { eventType: 'order.updated', externalId: 'first-1' }))).toBe(
      undefined,
    );
  });

  test('answers a copy where copies are usual, while PostgreSQL says nothing', async () => {
    const first = await inbox.send({ externalId: 'known' });
    await teach('known');
    await eventually(() => expect(inbox.guard.isOn).toBe(true));
    proxy.hold();
    try {
      expect(await inbox.send({ externalId: 'known' })).toEqual({
        kind: 'duplicate',
        eventId: first.eventId,
        standing: undefined,
      });
    } finally {
      proxy.letGo();
    }
  });

  test('counts what it answers as a layer of its own', async () => {
    await inbox.flushCounts();
    const copies = async (): Promise<number> => {
      const [row] = await inbox.database.query<{ copies: number | null }>(
        `SELECT sum(copies)::int AS copies FROM duplicate_counts WHERE layer = 'guard' AND source = 'crm'`,
      );
      return row?.copies ?? 0;
    };
    const before = await copies();
    await eventually(() => expect(inbox.guard.isOn).toBe(true));
    const verdicts = await Promise.all(Array.from({ length: 20 }, async () => inbox.send({ externalId: 'known' })));
    expect(verdicts.every(isRecognised)).toBe(true);
    await inbox.flushCounts();
    expect(await copies()).toBe(before + 20);
  });

  test('remembers an event for a day at most', async () => {
    const lifeMs = await redis.pttl(await teach('dated'));
    expect(lifeMs).toBeGreaterThan(86_000_000);
    expect(lifeMs).toBeLessThanOrEqual(86_400_000);
  });

  test('leaves other content under a used key to PostgreSQL: it is a conflict', async () => {
    await teach('contested');
    const second = { externalId: 'contested', payload: '{"name":"somebody else"}' };
    expect(await inbox.send(second)).toMatchObject({ kind: 'conflict' });
    expect(await inbox.send(second)).toMatchObject({ kind: 'conflict' });
    expect(isRecognised(await inbox.send({ externalId: 'contested' }))).toBe(true);
  });

  test.each([
    ['text that is no value of ours', async (key: string) => redis.set(key, 'ACCEPTED:nothing')],
    ['an id that is none', async (key: string) => redis.set(key, `ACCEPTED:no-uuid:${fingerprintOf('spoilt')}`)],
    ['a value of another type', async (key: string) => redis.multi().del(key).lpush(key, 'ACCEPTED').exec()],
    ['bytes that are no text', async (key: string) => redis.set(key, Buffer.from([0xff, 0x00, 0xfe]))],
  ])('leaves %s to PostgreSQL', async (_, spoil) => {
    const key = await teach('spoilt');
    const { eventId } = await inbox.send({ externalId: 'spoilt' });
    await spoil(key);
    expect(await inbox.send({ externalId: 'spoilt' })).toMatchObject({
      kind: 'duplicate',
      eventId,
      standing: { status: 'RECEIVED' },
    });
    await redis.del(key);
  });

  test('never runs ahead of PostgreSQL: an event whose commit failed leaves nothing, and comes again as the first', async () => {
    await inbox.database.query('ALTER TABLE events RENAME TO events_away');
    await expect(inbox.send({ externalId: 'failed' })).rejects.toThrow();
    await inbox.database.query('ALTER TABLE events_away RENAME TO events');
    // What is written is written in order, so a later key is there after an earlier one would be.
    await teach('later');
    expect(await guardKeys('3Afailed')).toEqual([]);
    expect(await inbox.send({ externalId: 'failed' })).toMatchObject({ kind: 'accepted' });
  });

  test('learns from a copy that PostgreSQL found, but not about an event that is older than its memory', async () => {
    await inbox.send({ externalId: 'evicted' });
    await redis.del(await teach('evicted'));
    expect(await inbox.send({ externalId: 'evicted' })).toMatchObject({ standing: { status: 'RECEIVED' } });
    await teach('evicted');
    expect(isRecognised(await inbox.send({ externalId: 'evicted' }))).toBe(true);

    const old = shopEvent(contract, { externalId: 'ancient' });
    await inbox.database.query(
      `INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
       VALUES ($1, $2, '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a', $3)`,
      [old.scope, old.idempotencyKey, old.fingerprint],
    );
    const connections = redisProxy.connections();
    expect(await inbox.receive(old)).toMatchObject({ kind: 'duplicate', standing: { status: 'COMPLETED' } });
    await teach('after');
    // Redis would refuse a life of less than nothing, and that would cost the connection.
    expect(redisProxy.connections()).toBe(connections);
    expect(await guardKeys('3Aancient')).toEqual([]);
    expect(await inbox.receive(old)).toMatchObject({ kind: 'duplicate', standing: { status: 'COMPLETED' } });
  });

  test('believes no answer to a question that was asked in another history of the database', async () => {
    await teach('overtaken');
    redisProxy.hold();
    const copy = inbox.send({ externalId: 'overtaken' });
    await changeHistory();
    redisProxy.letGo();
    expect(await copy).toMatchObject({ kind: 'duplicate', standing: { status: 'RECEIVED' } });
  });

  test('learns nothing from a verdict that was given while the history changed', async () => {
    const event = shopEvent(contract, { externalId: 'lost' });
    const accepted: FullVerdict = {
      kind: 'accepted',
      eventId: newEventId(Date.now()),
      standing: { status: 'RECEIVED', outcome: undefined, code: undefined, internalId: undefined },
    };
    await eventually(() => expect(inbox.guard.isOn).toBe(true));
    await inbox.guard.learnFrom(event, async () => {
      await changeHistory();
      return accepted;
    });
    await teach('found');
    expect(await guardKeys('3Alost%3A')).toEqual([]);
    expect(await inbox.receive(event)).toMatchObject({ kind: 'accepted' });
  });

  /** A change that is noticed by new connections; when it is known again, the history is another one. */
  async function changeHistory(): Promise<void> {
    await inbox.database.query('UPDATE guard_epoch SET mark = gen_random_uuid()');
    await inbox.database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await Promise.allSettled(Array.from({ length: 12 }, async () => inbox.database.query('SELECT pg_sleep(0.2)')));
    await eventually(() => expect(inbox.guard.isOn).toBe(true));
  }

  function fingerprintOf(externalId: string): string {
    return shopEvent(contract, { externalId }).fingerprint;
  }
});
