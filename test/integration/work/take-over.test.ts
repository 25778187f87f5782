import { beforeEach, describe, expect, test } from '@jest/globals';
import { WorkService } from '../../../src/flow/work/work.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('taking over work whose worker did not come back', () => {
  const shop = wireShop();

  beforeEach(async () => {
    await shop.query('TRUNCATE work');
    await shop.query(
      `INSERT INTO work (kind, key, topic, status, lease_until, fence)
       SELECT 'event', 'expired-' || n, 'crm', 'processing', now() - n * interval '1 minute', 7
         FROM generate_series(1, 3) n
       UNION ALL VALUES ('event', 'alive', 'crm', 'processing', now() + interval '1 minute', 7)`,
    );
  });

  test('takes one piece at a time, the longest abandoned first, with a higher fence', async () => {
    const work = shop.first.get(WorkService);
    const taken = [];
    for (let at = 0; at < 4; at++) taken.push(await work.takeOverExpired('event', 60_000));
    expect(taken.map((claim) => claim?.key)).toEqual(['expired-3', 'expired-2', 'expired-1', undefined]);
    const [first = 0n, second = 0n, third = 0n] = taken.map((claim) => claim?.fence);
    expect([second > first, third > second]).toEqual([true, true]);
  });

  test('gives no piece to two workers', async () => {
    const workers = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? shop.first : shop.second).get(WorkService));
    const taken = await Promise.all(workers.map(async (work) => work.takeOverExpired('event', 60_000)));
    const keys = taken.flatMap((claim) => claim?.key ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain('alive');
  });

  test('counts only what was claimed alone towards poison', async () => {
    await shop.query(`INSERT INTO work (kind, key, topic) VALUES ('event', 'fresh', 'crm')`);
    const work = shop.first.get(WorkService);
    await work.claimDue('event', 10, 60_000);
    await work.takeOverExpired('event', 60_000);
    expect(await shop.query(`SELECT key, claims FROM work WHERE key IN ('fresh', 'expired-3') ORDER BY key`)).toEqual([
      { key: 'expired-3', claims: 1 },
      { key: 'fresh', claims: 0 },
    ]);
  });
});
