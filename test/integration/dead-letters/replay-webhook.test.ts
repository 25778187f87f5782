import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { DiscardLetter } from '../../../src/operations/dead-letters/discard-letter.js';
import { ReplayLetter } from '../../../src/operations/dead-letters/replay-letter.js';
import { Savepoint } from '../../../src/platform/database/savepoint.js';
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

  const keep = async (...lines: readonly object[]): Promise<string> =>
    shop.first.get(InboxService).keepUnmatched({
      source: 'wms',
      body: JSON.stringify({ lines }),
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

  /** Two repairs of one letter, the second of which begins while the first is held up by a lock of somebody else. */
  async function oneAfterTheOther(
    lock: string,
    first: () => Promise<unknown>,
    second: () => Promise<unknown>,
  ): Promise<readonly PromiseSettledResult<unknown>[]> {
    const held = await holdLock(shop.databaseUrl, lock);
    try {
      const begun = [first()];
      begun[0]?.catch(() => undefined);
      await untilBlocked(shop, 1);
      begun.push(second());
      const settled = Promise.allSettled(begun);
      await untilBlocked(shop, 2);
      await held.release();
      return await settled;
    } catch (error) {
      await held.release();
      throw error;
    }
  }

  test('is replayed or discarded, never both', async () => {
    const eventId = await keep({ id: 'L-1' });
    const settled = await oneAfterTheOther(
      'LOCK TABLE idempotency_keys IN SHARE MODE',
      async () => shop.first.get(ReplayLetter).replay(wishAbout(eventId)),
      async () => shop.second.get(DiscardLetter).discard(wishAbout(eventId)),
    );
    expect(settled).toMatchObject([
      { status: 'fulfilled', value: { status: 'COMPLETED', results: [{ verdict: 'accepted' }] } },
      { status: 'rejected', reason: { code: 'dead_letter.not_found' } },
    ]);
    expect(await remembered()).toContain('L-1');
    expect(await shop.query('SELECT outcome FROM trace WHERE event_id = $1', [eventId])).toEqual([
      { outcome: 'replayed' },
    ]);
  });

  test('that was discarded since it was looked at is not replayed', async () => {
    const eventId = await keep({ id: 'L-2' });
    const settled = await oneAfterTheOther(
      `SELECT FROM work WHERE key = '${eventId}' FOR UPDATE`,
      async () => shop.second.get(DiscardLetter).discard(wishAbout(eventId)),
      async () => shop.first.get(ReplayLetter).replay(wishAbout(eventId)),
    );
    expect(settled).toMatchObject([
      {
        status: 'fulfilled',
        value: { outcome: 'discarded', detail: expect.stringContaining('answered as unmatched') },
      },
      { status: 'rejected', reason: { code: 'dead_letter.not_replayable' } },
    ]);
    expect(await remembered()).not.toContain('L-2');
  });

  test('keeps a part that the database refuses as a letter, and the others are remembered, in their order', async () => {
    const eventId = await keep({ id: 'L-6' }, { id: 'L-5' }, { id: 'L-4' }, { id: 'L-4' });
    const replay = async () => shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    await shop.query(`ALTER TABLE idempotency_keys ADD CONSTRAINT refused CHECK (idempotency_key <> 'line:L-5')`);
    const refused = await replay().finally(() => shop.query('ALTER TABLE idempotency_keys DROP CONSTRAINT refused'));
    expect(refused).toMatchObject({
      status: 'DEAD',
      results: [
        { verdict: 'accepted' },
        { verdict: 'unmatched', reason_code: 'event.unstorable' },
        { verdict: 'accepted' },
        { verdict: 'duplicate' },
      ],
    });
    expect(await replay()).toMatchObject({
      status: 'COMPLETED',
      results: ['duplicate', 'accepted', 'duplicate', 'duplicate'].map((verdict) => ({ verdict })),
    });
    expect(await remembered()).toEqual(expect.arrayContaining(['L-4', 'L-5', 'L-6']));
  });

  test('of ten thousand parts takes a few statements', async () => {
    const eventId = await keep(...Array.from({ length: 10_000 }, (_, at) => ({ id: `M-${String(at)}` })));
    const counted = jest.spyOn(Savepoint, 'set');
    const replayed = await shop.first.get(ReplayLetter).replay(wishAbout(eventId));
    expect(replayed).toMatchObject({ status: 'COMPLETED' });
    expect(counted).toHaveBeenCalledTimes(1);
    counted.mockRestore();
    expect(await remembered()).toHaveLength(10_000 + (await remembered()).filter((id) => !id.startsWith('M-')).length);
    await shop.query(`TRUNCATE work, events, idempotency_keys`);
  });

  test('keeps the other content of a used key as a conflict, and says under which event', async () => {
    await shop.first.get(ReplayLetter).replay(wishAbout(await keep({ id: 'L-7' })));
    const letter = await keep({ id: 'L-7', other: true });
    const replayed = await shop.first.get(ReplayLetter).replay(wishAbout(letter));
    expect(replayed).toMatchObject({ status: 'COMPLETED', results: [{ verdict: 'conflict' }] });
    const [conflict] = await shop.query<{ event_id: string }>(
      'SELECT event_id FROM events WHERE conflicts_with IS NOT NULL',
    );
    expect(await shop.query('SELECT detail FROM trace WHERE event_id = $1', [letter])).toEqual([
      { detail: expect.stringContaining(`It became ${conflict?.event_id ?? ''}.`) },
    ]);
    while (await shop.first.get(EventRunner).runDue());
    expect(await shop.query('SELECT kind FROM conflicts')).toHaveLength(1);
  });
});
