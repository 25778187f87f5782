import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { InboxService } from '../../src/flow/inbox/inbox.service.js';
import { DatabaseClock } from '../../src/platform/database/database-clock.js';
import { wireShop } from '../support/wired-shop.js';

const DAY_MS = 86_400_000;
const DAY_MICROS = 86_400_000_000n;

describe('the one clock is the database’s', () => {
  const shop = wireShop();

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const clock = (): DatabaseClock => shop.first.get(DatabaseClock);
  async function databaseMicros(): Promise<bigint> {
    const [row] = await shop.query<{ micros: bigint }>(
      'SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros',
    );
    return row?.micros ?? 0n;
  }

  /** A look at the database before and one after; between two real moments lies the clock, give or take a round trip. */
  async function expectToFollowTheDatabase(): Promise<void> {
    const before = await databaseMicros();
    const shown = clock().nowMicros();
    const after = await databaseMicros();
    const roundTrip = 1_000_000n;
    expect(shown).toBeGreaterThan(before - roundTrip);
    expect(shown).toBeLessThan(after + roundTrip);
  }

  test('also where the clock of this process is a day off, either way', async () => {
    for (const offMs of [DAY_MS, -DAY_MS]) {
      const trueNow = Date.now.bind(Date);
      const off = jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + offMs);
      await clock().synchronize();
      await expectToFollowTheDatabase();
      off.mockRestore();
    }
  });

  test('also after the monotonic clock of this process has jumped, from the next measurement on', async () => {
    const trueNow = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => trueNow() + DAY_MS);
    expect(clock().nowMicros() - (await databaseMicros())).toBeGreaterThan(DAY_MICROS / 2n);
    await clock().synchronize();
    await expectToFollowTheDatabase();
  });

  test('so events are dated, and sorted into their day, by the database', async () => {
    await clock().synchronize();
    const trueNow = Date.now.bind(Date);
    const event = shop.event({ externalId: 'C-1' });
    jest.spyOn(Date, 'now').mockImplementation(() => trueNow() + 100 * DAY_MS);
    const { eventId } = await shop.first.get(InboxService).remember(event);
    const datedMicros = BigInt(Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16)) * 1000n;
    const off = (await databaseMicros()) - datedMicros;
    expect(off < 0n ? -off : off).toBeLessThan(DAY_MICROS / 24n);
  });
});
