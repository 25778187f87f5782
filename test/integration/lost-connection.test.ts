import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { wireShop } from '../support/wired-shop.js';

describe('a connection that the server ends', () => {
  const shop = wireShop();

  test('between two statements of a transaction fails that transaction, and the process lives on', async () => {
    const attempt = shop.first.database.transaction(async (tx) => {
      await tx.query(`INSERT INTO work (kind, key, topic) VALUES ('event', 'undone', 'crm')`);
      const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      // As a restart does, or the time-out of a process that was frozen in the middle of its transaction.
      await shop.second.database.query('SELECT pg_terminate_backend($1)', [own?.pid]);
      await eventually(async () =>
        expect(await shop.second.database.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [own?.pid])).toEqual(
          [],
        ),
      );
      await tx.query('SELECT 1');
    });
    await expect(attempt).rejects.toThrow();
    expect(await shop.first.database.query('SELECT key FROM work')).toEqual([]);
  });
});
