import { afterEach, describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { DiscardLetter } from '../../../src/operations/dead-letters/discard-letter.js';
import { ReplayLetter } from '../../../src/operations/dead-letters/replay-letter.js';
import { holdLock } from '../../support/hold-lock.js';
import { untilBlocked } from '../../support/until-blocked.js';
import { wireShop } from '../../support/wired-shop.js';
import { wishAbout } from './dead-event.js';

describe('a webhook that no rule read, when a person acts on it', () => {
  const shop = wireShop();

  afterEach(async () => {
    while (await shop.first.get(EventRunner).runDue());
    await shop.query('TRUNCATE work, audit');
  });

  const keep = async (...lines: readonly string[]): Promise<string> =>
    shop.first.get(InboxService).keepUnmatched({
      source: 'wms',
      body: JSON.stringify({ lines: lines.map((id) => ({ id })) }),
      request: '{}',
      distinction: [],
      correlationId: 'p',
      code: 'webhook.unmatched',
      reason: 'No rule.',
    });

  const remembered = async (): Promise<readonly string[]> => {
    const rows = await shop.query<{ external_id: string }>(
      `SELECT external_id FROM events WHERE event_type = 'payment.completed' ORDER BY external_id`,
    );
    return rows.map(({ external_id: id }) => id);
  };

  test('is replayed or discarded, never both', async () => {
    const eventId = await keep('L-1');
    const held = await holdLock(shop.databaseUrl, 'LOCK TABLE idempotency_keys IN SHARE MODE');
    const replayed = shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    await untilBlocked(shop, 1);
    const discarded = shop.second.get(DiscardLetter).discard(wishAbout(eventId));
    const settled = Promise.allSettled([replayed, discarded]);
    await untilBlocked(shop, 2);
    await held.release();
    expect(await settled).toMatchObject([
      { status: 'fulfilled', value: { status: 'COMPLETED', results: [{ verdict: 'accepted' }] } },
      { status: 'rejected', reason: { code: 'dead_letter.not_found' } },
    ]);
    expect(await remembered()).toEqual(['L-1']);
    expect(await shop.query('SELECT outcome FROM trace WHERE event_id = $1', [eventId])).toEqual([
      { outcome: 'replayed' },
    ]);
  });

  test('that was discarded since it was looked at is not replayed', async () => {
    const eventId = await keep('L-2');
    const held = await holdLock(shop.databaseUrl, `SELECT FROM work WHERE key = '${eventId}' FOR UPDATE`);
    const discarded = shop.second.get(DiscardLetter).discard(wishAbout(eventId));
    await untilBlocked(shop, 1);
    const replayed = shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    const settled = Promise.allSettled([discarded, replayed]);
    await untilBlocked(shop, 2);
    await held.release();
    expect(await settled).toMatchObject([
      { status: 'fulfilled', value: { outcome: 'discarded' } },
      { status: 'rejected', reason: { code: 'dead_letter.not_replayable' } },
    ]);
    expect(await remembered()).not.toContain('L-2');
  });

  test('keeps a part that the database refuses as a letter, and the others are remembered, in their order', async () => {
    await shop.query(`ALTER TABLE idempotency_keys ADD CONSTRAINT refused CHECK (idempotency_key <> 'line:L-5')`);
    const eventId = await keep('L-6', 'L-5', 'L-4', 'L-4');
    const replay = async () => shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    expect(await replay()).toMatchObject({
      status: 'DEAD',
      results: [
        { verdict: 'accepted' },
        { verdict: 'unmatched', reason_code: 'event.unstorable' },
        { verdict: 'accepted' },
        { verdict: 'duplicate' },
      ],
    });
    await shop.query('ALTER TABLE idempotency_keys DROP CONSTRAINT refused');
    expect(await replay()).toMatchObject({
      status: 'COMPLETED',
      results: ['duplicate', 'accepted', 'duplicate', 'duplicate'].map((verdict) => ({ verdict })),
    });
    expect(await remembered()).toEqual(expect.arrayContaining(['L-4', 'L-5', 'L-6']));
  });

  test('keeps the other content of a used key as a conflict', async () => {
    const first = await keep('L-7');
    await shop.first.get(ReplayLetter).replay(wishAbout(first));
    const second = await shop.first.get(InboxService).keepUnmatched({
      source: 'wms',
      body: '{"lines":[{"id":"L-7","other":true}]}',
      request: '{}',
      distinction: [],
      correlationId: 'p',
      code: 'webhook.unmatched',
      reason: 'No rule.',
    });
    expect(await shop.first.get(ReplayLetter).replay(wishAbout(second))).toMatchObject({
      status: 'COMPLETED',
      results: [{ verdict: 'conflict', conflict_event_id: expect.any(String) }],
    });
    while (await shop.first.get(EventRunner).runDue());
    expect(await shop.query('SELECT kind FROM conflicts')).toHaveLength(1);
  });
});
