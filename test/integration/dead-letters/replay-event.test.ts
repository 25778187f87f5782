import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { ReplayLetter } from '../../../src/operations/dead-letters/replay-letter.js';
import { wireShop } from '../../support/wired-shop.js';
import { deadEvent, wishAbout } from './dead-event.js';

describe('a dead event that is replayed by hand', () => {
  const shop = wireShop();

  async function runAll(): Promise<void> {
    const runner = shop.second.get(EventRunner);
    while (await runner.runDue());
  }

  async function endings(eventId: string): Promise<unknown> {
    return shop.query('SELECT node, status, outcome, code FROM trace WHERE event_id = $1 ORDER BY at, trace_id', [
      eventId,
    ]);
  }

  test('is processed under its own key, once, however many ask for it', async () => {
    const eventId = await deadEvent(shop, { externalId: 'C-1' });
    const replays = [shop.first, shop.second].map((process) => process.get(ReplayLetter));
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, at) => replays[at % 2]?.replay(wishAbout(eventId))),
    );
    await runAll();
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 'rejected')[0]).toMatchObject({
      reason: { code: 'dead_letter.not_replayable' },
    });
    expect(await endings(eventId)).toEqual([
      { node: 'operator', status: 'REPLAYED', outcome: null, code: null },
      { node: 'worker', status: 'COMPLETED', outcome: 'applied', code: null },
    ]);
    expect(await shop.query('SELECT count(*)::int AS rows FROM audit WHERE subject = $1', [eventId])).toEqual([
      { rows: 1 },
    ]);
    expect((await shop.first.get(InboxService).remember(shop.event({ externalId: 'C-1' }))).eventId).toBe(eventId);
  });

  test('ends as stale when a newer one was applied meanwhile, and changes nothing', async () => {
    const eventId = await deadEvent(shop, { externalId: 'C-2', version: 2 });
    await shop.first.get(InboxService).remember(shop.event({ externalId: 'C-2', version: 3 }));
    await runAll();
    const before = await shop.query(`SELECT data, revision FROM entities ORDER BY internal_id`);
    await shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    await runAll();
    expect(await endings(eventId)).toEqual([
      { node: 'operator', status: 'REPLAYED', outcome: null, code: null },
      { node: 'worker', status: 'COMPLETED', outcome: 'stale', code: 'version.stale' },
    ]);
    expect(await shop.query(`SELECT data, revision FROM entities ORDER BY internal_id`)).toEqual(before);
  });

  test('waits no longer than new work does when it fails again, and for nothing that it waited for before', async () => {
    const eventId = await deadEvent(shop, { externalId: 'C-4' });
    await shop.query(`UPDATE work SET retry_interval_ms = 3600000, wait_until = now() WHERE key = $1`, [eventId]);
    await shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    expect(await shop.query('SELECT retry_interval_ms::int, wait_until FROM work WHERE key = $1', [eventId])).toEqual([
      { retry_interval_ms: 0, wait_until: null },
    ]);
    await runAll();
  });

  test('a dry run, and a tag of another state of the letter, change nothing', async () => {
    const eventId = await deadEvent(shop, { externalId: 'C-3' });
    const replay = shop.first.get(ReplayLetter);
    expect(await replay.replay({ ...wishAbout(eventId), isDryRun: true })).toMatchObject({ dry_run: true });
    await expect(replay.replay({ ...wishAbout(eventId), ifMatch: '"1-1"' })).rejects.toMatchObject({
      code: 'dead_letter.changed',
    });
    expect(await shop.query('SELECT status FROM work WHERE key = $1', [eventId])).toEqual([{ status: 'dead' }]);
    expect(await endings(eventId)).toEqual([]);
  });
});
