import { beforeEach, describe, expect, test } from '@jest/globals';
import { LeaseLost, type Claim } from '../../../src/flow/work/work.js';
import { WorkService } from '../../../src/flow/work/work.service.js';
import type { Tx } from '../../../src/platform/database/database.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a worker whose claim was taken over', () => {
  const shop = wireShop();
  let slow: Claim;
  let quick: Claim;

  const work = (): WorkService => shop.first.get(WorkService);
  const expireLeases = async (): Promise<unknown> =>
    shop.query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE status = 'processing'`);

  beforeEach(async () => {
    await shop.query('TRUNCATE work, conflicts');
    await shop.query(`INSERT INTO work (kind, key, topic) VALUES ('delivery', 'erp:shared', 'erp')`);
    slow = present(await work().claimByKey('delivery', 'erp:shared', 60_000));
    await expireLeases();
    quick = present(await shop.second.get(WorkService).takeOverExpired('delivery', 60_000));
  });

  const ends: readonly [string, (tx: Tx, claim: Claim) => Promise<unknown>][] = [
    ['finish', async (tx, claim) => work().finish(tx, 'delivery', [claim])],
    ['arm it again', async (tx, claim) => work().rearm(tx, 'delivery', claim)],
    ['record a retry', async (tx, claim) => work().fail(tx, 'delivery', claim, failure({ kind: 'retry', delayMs: 0 }))],
    ['let it wait', async (tx, claim) => work().fail(tx, 'delivery', claim, failure({ kind: 'wait', delayMs: 0 }))],
    ['bury it', async (tx, claim) => work().fail(tx, 'delivery', claim, failure({ kind: 'dead' }))],
  ];

  test.each(ends)('cannot %s, and whatever else its transaction did is undone', async (_name, end) => {
    const before = await shop.query('SELECT * FROM work');
    const attempt = shop.first.database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO conflicts (conflict_id, kind, subject, candidates) VALUES (gen_random_uuid(), 'find', 'effect', '[]')`,
      );
      await end(tx, slow);
    });
    const error = await attempt.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LeaseLost);
    expect(error).toMatchObject({ keys: ['erp:shared'] });
    expect(await shop.query('SELECT * FROM conflicts')).toEqual([]);
    expect(await shop.query('SELECT * FROM work')).toEqual(before);
  });

  test.each(ends)('does not keep the new owner from being able to %s', async (_name, end) => {
    await expect(shop.second.database.transaction(async (tx) => end(tx, quick))).resolves.not.toThrow();
  });

  test('cannot end the work when it was done since, asked for again and claimed by a third worker', async () => {
    await work().finish(shop.second.database, 'delivery', [quick]);
    const row = { key: 'erp:shared', topic: 'erp', internal_id: '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a' };
    await work().armDeliveries(shop.first.database, [row]);
    const third = present(await shop.second.get(WorkService).claimByKey('delivery', 'erp:shared', 60_000));
    await expect(work().finish(shop.first.database, 'delivery', [slow])).rejects.toThrow(LeaseLost);
    await expect(work().finish(shop.second.database, 'delivery', [third])).resolves.toBeUndefined();
  });

  test('of several claims loses that one only, by name', async () => {
    await shop.query(`INSERT INTO work (kind, key, topic) VALUES ('delivery', 'erp:own', 'erp')`);
    const own = present(await work().claimByKey('delivery', 'erp:own', 60_000));
    const attempt = shop.first.database.transaction(async (tx) => work().finish(tx, 'delivery', [own, slow]));
    await expect(attempt).rejects.toMatchObject({ keys: ['erp:shared'] });
    expect(await shop.query('SELECT key FROM work ORDER BY key')).toEqual([{ key: 'erp:own' }, { key: 'erp:shared' }]);
  });
});

function failure(next: { kind: 'retry' | 'wait'; delayMs: number } | { kind: 'dead' }) {
  return { code: 'target.failed', detail: 'The target failed.', class: 'retryable' as const, next };
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There was no claim to be had.');
  return value;
}
