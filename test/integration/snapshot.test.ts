import { describe, expect, test } from '@jest/globals';
import { wireShop } from '../support/wired-shop.js';

describe('a snapshot', () => {
  const shop = wireShop();
  const insert = `INSERT INTO work (kind, key, topic) VALUES ('event', 'later', 'crm')`;

  test('sees one moment in all its reads, whatever others commit in between', async () => {
    const seen = await shop.first.database.snapshot(async (tx) => {
      const before = await tx.query('SELECT key FROM work');
      await shop.second.database.query(insert);
      return [before, await tx.query('SELECT key FROM work')];
    });
    expect(seen).toEqual([[], []]);
    expect(await shop.first.database.query('SELECT key FROM work')).toEqual([{ key: 'later' }]);
  });

  test('writes nothing', async () => {
    await expect(shop.first.database.snapshot((tx) => tx.query(insert))).rejects.toThrow('read-only');
  });
});
