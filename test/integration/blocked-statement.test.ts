import { expect, test } from '@jest/globals';
import { databaseFault } from '../../src/platform/database/database-fault.js';
import { holdLock } from '../support/hold-lock.js';
import { wireShop } from '../support/wired-shop.js';

const shop = wireShop();
const LOCK_TIMEOUT_MS = 2_000;

test('a statement that waits for a lock gives up after two seconds, and says that it was blocked', async () => {
  const held = await holdLock(shop.databaseUrl, 'LOCK TABLE work IN ACCESS EXCLUSIVE MODE');
  const error: unknown = await shop.query('SELECT key FROM work').catch((reason: unknown) => reason);
  await held.release();
  expect(databaseFault(error)).toBe('blocked');
  // A statement time-out would say the same, a quarter of a minute later and more.
  expect(error).toMatchObject({ message: expect.stringContaining('lock timeout') });
  expect(await shop.query(`SELECT setting FROM pg_settings WHERE name = 'lock_timeout'`)).toEqual([
    { setting: String(LOCK_TIMEOUT_MS) },
  ]);
});
