import { describe, expect, test } from '@jest/globals';
import { WorkService } from '../../../src/flow/work/work.service.js';
import type { Claim } from '../../../src/flow/work/work.js';
import { wireShop } from '../../support/wired-shop.js';

describe('claiming due work', () => {
  const shop = wireShop();
  const CLAIMERS = 16;

  test('gives each piece to one of many claimers, and none is left out', async () => {
    await shop.query(
      `INSERT INTO work (kind, key, topic, next_retry_time)
       SELECT 'event', 'due-' || n, 'crm', now() - n * interval '1 ms' FROM generate_series(1, 1000) n`,
    );
    const claimUntilEmpty = async (work: WorkService): Promise<Claim[]> => {
      const mine: Claim[] = [];
      for (;;) {
        const claims = await work.claimDue('event', 7, 60_000);
        if (claims.length === 0) return mine;
        mine.push(...claims);
      }
    };
    const services = [shop.first.get(WorkService), shop.second.get(WorkService)];
    const claimers = services.flatMap((work) =>
      Array.from({ length: CLAIMERS / 2 }, async () => claimUntilEmpty(work)),
    );
    const claims = (await Promise.all(claimers)).flat();
    expect(claims).toHaveLength(1000);
    expect(new Set(claims.map(({ key }) => key)).size).toBe(1000);
    expect(new Set(claims.map(({ fence }) => fence)).size).toBe(claims.length);
  });

  test('gives one named piece to one of many claimers', async () => {
    await shop.query(`INSERT INTO work (kind, key, topic) VALUES ('delivery', 'erp:one', 'erp')`);
    const claims = await Promise.all(
      Array.from({ length: CLAIMERS }, async (_, at) =>
        (at % 2 === 0 ? shop.first : shop.second).get(WorkService).claimByKey('delivery', 'erp:one', 60_000),
      ),
    );
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test('leaves alone what is not due yet, waits, or is dead', async () => {
    await shop.query('TRUNCATE work');
    await shop.query(
      `INSERT INTO work (kind, key, topic, status, next_retry_time, dead_at, waits_for)
       VALUES ('event', 'later', 'crm', 'due', now() + interval '1 hour', NULL, NULL),
              ('event', 'parked', 'crm', 'waiting', now(), NULL, '{something}'),
              ('event', 'dead', 'crm', 'dead', now(), now(), NULL),
              ('delivery', 'other kind', 'crm', 'due', now(), NULL, NULL)`,
    );
    const work = shop.first.get(WorkService);
    expect(await work.claimDue('event', 10, 60_000)).toEqual([]);
    for (const key of ['later', 'parked', 'dead']) expect(await work.claimByKey('event', key, 60_000)).toBeUndefined();
  });
});
