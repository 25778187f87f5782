import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { readLetterFilter } from '../../../src/operations/dead-letters/letter-filter.js';
import { ReplayLetter } from '../../../src/operations/dead-letters/replay-letter.js';
import { ReplayRunner } from '../../../src/operations/dead-letters/replay-runner.js';
import { ReplaysService } from '../../../src/operations/dead-letters/replays.service.js';
import { holdLock } from '../../support/hold-lock.js';
import { untilBlocked } from '../../support/until-blocked.js';
import { wireShop } from '../../support/wired-shop.js';
import { deadEvent, wishAbout } from './dead-event.js';

describe('a replay of many dead letters', () => {
  const shop = wireShop({ settings: { leaseMs: 60_000 } });

  async function deadEvents(prefix: string, count: number): Promise<string[]> {
    const eventIds: string[] = [];
    for (let at = 0; at < count; at++) eventIds.push(await deadEvent(shop, { externalId: `${prefix}-${at}` }));
    return eventIds;
  }

  async function begin(pace: number): Promise<string> {
    const filter = readLetterFilter({ code: 'work.poison' });
    const wish = { filter, pace, reason: 'The cause is gone.', operator: 'oscar' };
    return (await shop.first.get(ReplaysService).begin(wish)).replay_id;
  }

  /** Its next step is due, as if the time of the last one were over. */
  async function letTimePass(): Promise<void> {
    await shop.query(`UPDATE replays SET next_step_at = now() WHERE status = 'running'`);
  }

  const progress = async (replayId: string) => shop.second.get(ReplaysService).find(replayId);

  test('replays each of them once at its pace, by whichever process, and says when it is done', async () => {
    const eventIds = await deadEvents('A', 5);
    const replayId = await begin(2);
    const runners = [shop.first, shop.second].map((process) => process.get(ReplayRunner));
    await Promise.all(runners.map(async (runner) => runner.runDue()));
    expect(await progress(replayId)).toMatchObject({ status: 'running', total: 5, done: 2 });
    for (let step = 0; step < 3; step++) {
      await letTimePass();
      await Promise.all(runners.map(async (runner) => runner.runDue()));
    }
    expect(await progress(replayId)).toMatchObject({ status: 'done', done: 5, superseded: 0, failed: 0 });
    expect(await shop.query(`SELECT key, status FROM work ORDER BY key`)).toEqual(
      eventIds.toSorted().map((key) => ({ key, status: 'due' })),
    );
    expect(await shop.query(`SELECT count(*)::int AS rows FROM audit WHERE action = 'dead_letter.replay'`)).toEqual([
      { rows: 5 },
    ]);
    await shop.query('TRUNCATE work, audit');
  });

  test('counts each letter once, also when two processes believe that a step is theirs', async () => {
    await deadEvents('T', 4);
    const replayId = await begin(4);
    const held = await holdLock(shop.databaseUrl, 'LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const steps: Promise<boolean>[] = [];
    for (const process of [shop.first, shop.second]) {
      await letTimePass();
      steps.push(process.get(ReplayRunner).step());
      await untilBlocked(shop, steps.length);
    }
    await held.release();
    await Promise.all(steps);
    await letTimePass();
    await shop.first.get(ReplayRunner).runDue();
    expect(await progress(replayId)).toMatchObject({ status: 'done', total: 4, done: 4, superseded: 0, failed: 0 });
    await shop.query('TRUNCATE work, audit');
  });

  /** Begins a step that stands still before its first letter, until the events can be read again. */
  async function stepThatStandsStill(): Promise<{ readonly end: () => Promise<unknown> }> {
    const held = await holdLock(shop.databaseUrl, 'LOCK TABLE events IN ACCESS EXCLUSIVE MODE');
    const step = shop.first.get(ReplayRunner).step();
    await untilBlocked(shop, 1);
    return { end: async () => held.release().then(() => step) };
  }

  test('leaves a step to the process that has it, until its lease is over', async () => {
    await deadEvents('L', 2);
    const replayId = await begin(2);
    await letTimePass();
    const step = await stepThatStandsStill();
    const [row] = await shop.query(
      `SELECT next_step_at > now() + interval '30 s' AS is_taken FROM replays WHERE replay_id = $1`,
      [replayId],
    );
    await step.end();
    expect(row).toEqual({ is_taken: true });
    await shop.query('TRUNCATE work, audit, replays');
  });

  test('that is cancelled in the middle of a step touches no further letter', async () => {
    await deadEvents('M', 2);
    const replayId = await begin(2);
    const step = await stepThatStandsStill();
    await shop.second.get(ReplaysService).cancel(replayId, { reason: 'Too early.', operator: 'oscar' });
    await step.end();
    expect(await shop.query(`SELECT status FROM work WHERE status = 'dead'`)).toHaveLength(2);
    expect(await progress(replayId)).toMatchObject({ status: 'cancelled', done: 0 });
    await shop.query('TRUNCATE work, audit, replays');
  });

  test('goes on where a process that was killed had come to, when its lease is over', async () => {
    await deadEvents('B', 3);
    const replayId = await begin(3);
    // As a process leaves it that took the step, replayed one letter and was killed.
    await shop.query(`UPDATE replays SET next_step_at = now() + interval '60 s' WHERE replay_id = $1`, [replayId]);
    const [oldest] = await shop.query<{ key: string }>('SELECT key FROM work ORDER BY dead_at LIMIT 1');
    await shop.first.get(ReplayLetter).replay(wishAbout(oldest?.key ?? ''));
    await shop.second.get(ReplayRunner).runDue();
    expect(await progress(replayId)).toMatchObject({ status: 'running', done: 0 });
    await letTimePass();
    await shop.second.get(ReplayRunner).runDue();
    await letTimePass();
    await shop.second.get(ReplayRunner).runDue();
    // What somebody else took up is none of its letters any more.
    expect(await progress(replayId)).toMatchObject({ status: 'done', done: 2 });
    expect(await shop.query(`SELECT DISTINCT status FROM work`)).toEqual([{ status: 'due' }]);
    await shop.query('TRUNCATE work, audit');
  });

  test('does not replay twice what dies again', async () => {
    const [eventId = ''] = await deadEvents('C', 1);
    await deadEvents('D', 1);
    const replayId = await begin(1);
    await shop.first.get(ReplayRunner).runDue();
    await shop.query(
      `UPDATE work SET status = 'dead', dead_at = clock_timestamp(), reject_reason = 'work.poison' WHERE key = $1`,
      [eventId],
    );
    for (let step = 0; step < 3; step++) {
      await letTimePass();
      await shop.second.get(ReplayRunner).runDue();
    }
    expect(await progress(replayId)).toMatchObject({ status: 'done', total: 2, done: 2 });
    expect(await shop.query('SELECT status FROM work WHERE key = $1', [eventId])).toEqual([{ status: 'dead' }]);
    await shop.query('TRUNCATE work, audit');
  });

  test('that was cancelled touches no further letter', async () => {
    await deadEvents('E', 3);
    const replayId = await begin(1);
    await shop.first.get(ReplayRunner).runDue();
    const by = { reason: 'Too early.', operator: 'oscar' };
    expect(await shop.second.get(ReplaysService).cancel(replayId, by)).toMatchObject({ status: 'cancelled', done: 1 });
    await shop.query('UPDATE replays SET next_step_at = now() WHERE replay_id = $1', [replayId]);
    await shop.first.get(ReplayRunner).runDue();
    expect(await shop.query(`SELECT status FROM work WHERE status = 'dead'`)).toHaveLength(2);
    expect(await shop.query(`SELECT action FROM audit ORDER BY audit_id`)).toContainEqual({ action: 'replay.cancel' });
    await shop.query('TRUNCATE work, audit');
  });

  test('does not pass a letter while the database cannot remember what is in it', async () => {
    await shop.first.get(InboxService).keepUnmatched({
      source: 'wms',
      body: '{"lines":[{"id":"L-1"}]}',
      request: '{}',
      distinction: [],
      correlationId: 'p',
      code: 'webhook.unmatched',
      reason: 'No rule.',
    });
    const filter = readLetterFilter({ kind: 'event' });
    const wish = { filter, pace: 5, reason: 'The rule is there.', operator: 'oscar' };
    const { replay_id } = await shop.first.get(ReplaysService).begin(wish);
    const held = await holdLock(shop.databaseUrl, 'LOCK TABLE events IN SHARE MODE');
    const blocked = await shop.first
      .get(ReplayRunner)
      .runDue()
      .catch((error: unknown) => error);
    await held.release();
    expect(await progress(replay_id)).toMatchObject({ status: 'running', done: 0, failed: 0 });
    expect(blocked).toMatchObject({ code: 'storage.unavailable' });
    await letTimePass();
    await shop.second.get(ReplayRunner).runDue();
    expect(await progress(replay_id)).toMatchObject({ status: 'done', total: 1, done: 1, failed: 0 });
    await shop.query('TRUNCATE work, audit');
  });

  test('counts what cannot be replayed as failed and goes on', async () => {
    const inbox = shop.first.get(InboxService);
    const webhook = {
      source: 'crm',
      body: '{"odd":1}',
      request: '{}',
      distinction: [],
      correlationId: 'p',
      reason: 'No rule.',
    };
    await inbox.keepUnmatched({ ...webhook, code: 'webhook.unmatched' });
    const [eventId] = await deadEvents('F', 1);
    const filter = readLetterFilter({ kind: 'event' });
    const wish = { filter, pace: 5, reason: 'The cause is gone.', operator: 'oscar' };
    const { replay_id } = await shop.first.get(ReplaysService).begin(wish);
    await shop.first.get(ReplayRunner).runDue();
    expect(await progress(replay_id)).toMatchObject({ status: 'done', total: 2, done: 1, failed: 1 });
    expect(await shop.query(`SELECT key FROM work WHERE status = 'due'`)).toEqual([{ key: eventId }]);
    while (await shop.first.get(EventRunner).runDue());
  });
});
