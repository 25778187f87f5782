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

  test('is none where it was the database that stopped them all, and they came back', async () => {
    const { eventId } = await shop.first.get(InboxService).remember(shop.event({ externalId: 'outage' }));
    const expire = async (): Promise<unknown> =>
      shop.query(`UPDATE work SET status = 'processing', lease_until = now() - interval '1 s' WHERE key = $1`, [
        eventId,
      ]);
    await shop.query(
      `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    );
    await shop.query('CREATE TRIGGER disk_full BEFORE INSERT ON trace FOR EACH ROW EXECUTE FUNCTION disk_full()');
    for (let outage = 0; outage < 7; outage++) {
      await expire();
      await expect(shop.second.get(EventRunner).takeOver()).rejects.toThrow('could not extend file');
    }
    await shop.query('DROP FUNCTION disk_full CASCADE');
    await expire();
    await shop.second.get(EventRunner).takeOver();
    expect(await shop.query('SELECT status FROM trace WHERE event_id = $1', [eventId])).toEqual([
      { status: 'COMPLETED' },
    ]);
  });
});
