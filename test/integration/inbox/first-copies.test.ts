import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { Verdict } from '../../../src/flow/inbox/verdict.js';
import type { WiredServices } from '../../support/wired-services.js';
import { wireShop } from '../../support/wired-shop.js';

describe('first copies of one fact', () => {
  const shop = wireShop();

  const remember = async (process: WiredServices, externalId: string): Promise<Verdict> =>
    process.get(InboxService).remember(shop.event({ externalId }));

  async function countRows(externalIds: readonly string[]): Promise<unknown> {
    const [row] = await shop.query(
      `SELECT (SELECT count(*)::int FROM events WHERE external_id = ANY($1)) AS events,
              (SELECT count(*)::int FROM idempotency_keys JOIN events USING (event_id)
                WHERE external_id = ANY($1)) AS keys,
              (SELECT count(*)::int FROM work JOIN events USING (event_id) WHERE external_id = ANY($1)) AS work`,
      [externalIds],
    );
    return row;
  }

  test('in one group are one event', async () => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, async () => remember(shop.first, 'together')));
    expect(verdicts.map(({ kind }) => kind).sort()).toEqual(['accepted', ...Array<string>(19).fill('duplicate')]);
    expect(new Set(verdicts.map(({ eventId }) => eventId)).size).toBe(1);
    expect(await countRows(['together'])).toEqual({ events: 1, keys: 1, work: 1 });
  });

  test('in concurrent groups of two processes are one event each, in whatever order they stand in the groups', async () => {
    const externalIds = Array.from({ length: 200 }, (_, at) => `race-${at}`);
    const [forwards, backwards] = await Promise.all([
      Promise.all(externalIds.map(async (externalId) => remember(shop.first, externalId))),
      Promise.all(externalIds.toReversed().map(async (externalId) => remember(shop.second, externalId))),
    ]);
    for (const [at, one] of forwards.entries()) {
      const other = backwards.at(-1 - at);
      expect([one.kind, other?.kind].sort()).toEqual(['accepted', 'duplicate']);
      expect(one.eventId).toBe(other?.eventId);
    }
    expect(await countRows(externalIds)).toEqual({ events: 200, keys: 200, work: 200 });
  });
});
