import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { WorkService } from '../../../src/flow/work/work.service.js';
import { eventually } from '../../support/eventually.js';
import { holdLock } from '../../support/hold-lock.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a batch of which one claim was taken over meanwhile', () => {
  const shop = wireShop();

  const remember = async (externalId: string, version: number): Promise<string> =>
    (await shop.first.get(InboxService).remember(shop.event({ externalId, version }))).eventId;
  const revisions = async (): Promise<unknown[]> =>
    shop.query(
      `SELECT mappings.external_id, entities.revision, entities.data
         FROM entities JOIN mappings USING (internal_id) WHERE mappings.external_id IS NOT NULL ORDER BY 1`,
    );

  test('applies the rest once, and leaves that one to its new owner', async () => {
    await remember('kept', 1);
    await remember('lost', 1);
    while (await shop.first.get(EventRunner).runDue());
    const [kept, lost] = [await remember('kept', 2), await remember('lost', 2)];

    // The batch is stopped between its claim and its effect: the entity is held by somebody else.
    const held = await holdLock(shop.databaseUrl, 'SELECT * FROM entities FOR UPDATE');
    const batch = shop.first.get(EventRunner).runDue();
    await eventually(async () =>
      expect(await shop.query(`SELECT key FROM work WHERE kind = 'event' AND status = 'processing'`)).toHaveLength(2),
    );
    await shop.query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE key = $1`, [lost]);
    const claim = await shop.second.get(WorkService).takeOverExpired('event', 60_000);
    expect(claim?.key).toBe(lost);
    await held.release();
    await batch;

    expect(await revisions()).toEqual([
      { external_id: 'kept', revision: 2n, data: '{"name":"kept v2"}' },
      { external_id: 'lost', revision: 1n, data: '{"name":"lost v1"}' },
    ]);
    expect(await shop.query(`SELECT event_id FROM trace WHERE event_id = ANY($1)`, [[kept, lost]])).toEqual([
      { event_id: kept },
    ]);
    expect(await shop.query(`SELECT key, status, fence FROM work WHERE kind = 'event'`)).toEqual([
      { key: lost, status: 'processing', fence: claim?.fence },
    ]);
  });

  test('and that one is applied once by whoever has it in the end', async () => {
    await shop.query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE kind = 'event'`);
    expect(await shop.second.get(EventRunner).takeOver()).toBe(true);
    expect(await shop.second.get(EventRunner).takeOver()).toBe(false);
    expect(await revisions()).toContainEqual({ external_id: 'lost', revision: 2n, data: '{"name":"lost v2"}' });
    expect(await shop.query(`SELECT key FROM work WHERE kind = 'event'`)).toEqual([]);
  });
});
