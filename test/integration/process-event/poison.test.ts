import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { wireShop } from '../../support/wired-shop.js';

describe('an event that ends its workers', () => {
  const shop = wireShop();

  test('is set aside after five of them, and one that was taken over five times is still tried', async () => {
    const inbox = shop.first.get(InboxService);
    const poison = (await inbox.remember(shop.event({ externalId: 'poison' }))).eventId;
    const unlucky = (await inbox.remember(shop.event({ externalId: 'unlucky' }))).eventId;
    // As five and four workers leave them that claimed them and did not come back.
    await shop.query(
      `UPDATE work SET status = 'processing', lease_until = now() - interval '1 s',
              claims = CASE WHEN event_id = $1 THEN 5 ELSE 4 END`,
      [poison],
    );
    while (await shop.second.get(EventRunner).takeOver());

    expect(await shop.query(`SELECT event_id, status, reject_reason FROM work WHERE kind = 'event'`)).toEqual([
      { event_id: poison, status: 'dead', reject_reason: 'work.poison' },
    ]);
    expect(await shop.query('SELECT event_id, status, code FROM trace ORDER BY status')).toEqual([
      { event_id: unlucky, status: 'COMPLETED', code: null },
      { event_id: poison, status: 'DEAD', code: 'work.poison' },
    ]);
  });
});
