import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { Verdict } from '../../../src/flow/inbox/verdict.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import type { WiredServices } from '../../support/wired-services.js';
import { wireShop } from '../../support/wired-shop.js';

describe('one key with several contents', () => {
  const shop = wireShop();

  const rememberName = async (process: WiredServices, name: string): Promise<Verdict> =>
    process.get(InboxService).remember(shop.event({ externalId: 'C-1', payload: `{"name":"${name}"}` }));

  test('keeps the first, and makes each other content one event and one question, however often it comes', async () => {
    const first = await rememberName(shop.first, 'Ada');
    expect(first.kind).toBe('accepted');
    const verdicts = await Promise.all([
      ...Array.from({ length: 5 }, async () => rememberName(shop.first, 'Bob')),
      ...Array.from({ length: 5 }, async () => rememberName(shop.second, 'Bob')),
      rememberName(shop.second, 'Eve'),
    ]);
    expect(verdicts).toEqual(Array(11).fill(expect.objectContaining({ kind: 'conflict', eventId: first.eventId })));
    const conflictEventIds = verdicts.flatMap((verdict) =>
      verdict.kind === 'conflict' ? verdict.conflictEventId : [],
    );
    expect(new Set(conflictEventIds.slice(0, 10)).size).toBe(1);
    expect(new Set(conflictEventIds).size).toBe(2);

    while (await shop.first.get(EventRunner).runDue());
    expect(await shop.query('SELECT kind, event_id, status FROM conflicts ORDER BY event_id')).toEqual(
      [...new Set(conflictEventIds)].sort().map((eventId) => ({ kind: 'key', event_id: eventId, status: 'open' })),
    );
    expect(await shop.query('SELECT data, revision FROM entities')).toEqual([{ data: '{"name":"Ada"}', revision: 1n }]);
    expect(await shop.query('SELECT 1 FROM work WHERE kind = $1', ['event'])).toEqual([]);
  });

  test('a copy of the first content is a duplicate as before', async () => {
    expect(await rememberName(shop.second, 'Ada')).toMatchObject({ kind: 'duplicate' });
  });
});
