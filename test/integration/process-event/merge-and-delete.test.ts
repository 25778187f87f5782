import { beforeEach, describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { wireShop } from '../../support/wired-shop.js';

/** Whole records, patches in the depth, notes under one id, a delete and what came before and after it. */
const STORY: readonly Omit<ShopEvent, 'externalId'>[] = [
  { version: 1, payload: '{"name":"Ada","address":{"city":"Ulm","zip":"89073"},"limit":100.00}' },
  {
    version: 2,
    eventType: 'customer.noted',
    payload: '{"notes":[{"note_id":1,"text":"calls"}],"address":{"zip":null}}',
  },
  { version: 3, eventType: 'customer.deleted', payload: '{}' },
  { version: 4, eventType: 'customer.noted', payload: '{"notes":{"note_id":"2","text":"back"},"address":{}}' },
  { version: 5, payload: '{"name":"Ada L.","address":{"city":"Bonn"}}' },
  {
    version: 6,
    eventType: 'customer.noted',
    payload: '{"notes":{"note_id":1,"text":"writes"},"address":{"zip":"53111"}}',
  },
];
const END =
  '{"name":"Ada L.","address":{"city":"Bonn","zip":"53111"},"notes":[{"note_id":1,"text":"writes"},{"note_id":"2","text":"back"}]}';

describe('merges and deletes', () => {
  const shop = wireShop();

  beforeEach(async () => shop.query('TRUNCATE mappings, records, entities, deliveries, work'));

  /** Each in a transaction of its own, so that everything is saved and read again in between. */
  async function processEach(externalId: string, events: readonly Omit<ShopEvent, 'externalId'>[]): Promise<void> {
    for (const event of events) {
      const key = `${externalId}:${event.eventType ?? ''}:${String(event.version)}`;
      await shop.first.get(InboxService).remember(shop.event({ externalId, key, ...event }));
      while (await shop.first.get(EventRunner).runDue());
    }
  }

  const entities = async (): Promise<{ data: string; is_deleted: boolean; revision: bigint }[]> =>
    shop.query('SELECT data, is_deleted, revision FROM entities ORDER BY created_at');

  test('end in one state in any order, one transaction for each event', async () => {
    const orders = [
      [0, 1, 2, 3, 4, 5],
      [5, 4, 3, 2, 1, 0],
      [2, 5, 0, 3, 1, 4],
      [3, 1, 5, 2, 4, 0],
    ];
    for (const order of orders) {
      await processEach(
        `C-${order.join('')}`,
        order.flatMap((at) => STORY[at] ?? []),
      );
    }
    const ends = (await entities()).map(({ data, is_deleted }) => [JSON.parse(data) as unknown, is_deleted]);
    const end: unknown = JSON.parse(END);
    expect(ends).toEqual(orders.map(() => [end, false]));
    // The clocks and everything else that later events are judged by are the same, too.
    const states = await shop.query(
      `SELECT DISTINCT order_value, content_hash, is_tombstone, existence_clock IS NULL AS is_dated,
              regexp_replace(field_clocks, 'C-[0-9]+', '', 'g') AS clocks,
              regexp_replace(merged, 'C-[0-9]+', '', 'g') AS merged FROM records`,
    );
    expect(states).toHaveLength(1);
  });

  test('leave an entity that shows that it is deleted, until something newer is said', async () => {
    await processEach('C-2', STORY.slice(0, 3));
    expect(await entities()).toEqual([{ data: '{}', is_deleted: true, revision: 3n }]);
    await processEach('C-2', [{ version: 2, payload: '{"name":"late"}' }]);
    expect(await entities()).toEqual([{ data: '{}', is_deleted: true, revision: 3n }]);
    await processEach('C-2', STORY.slice(3, 4));
    const [revived] = await entities();
    expect(revived).toMatchObject({ is_deleted: false, revision: 4n });
    expect(JSON.parse(revived?.data ?? '')).toEqual({
      address: {},
      notes: [
        { note_id: 1, text: 'calls' },
        { note_id: '2', text: 'back' },
      ],
    });
  });

  test('begin with a delete: what is older stays without effect', async () => {
    await processEach('C-3', [STORY[2] ?? {}, STORY[0] ?? {}]);
    expect(await entities()).toEqual([{ data: '{}', is_deleted: true, revision: 1n }]);
  });

  test('add exactly, whichever order: no double comes near a sum', async () => {
    const added = ['0.1', '0.2', '9007199254740993', '-0.10'].map((delta, at) => ({
      eventType: 'stock.adjusted',
      version: at + 1,
      payload: `{"delta":${delta}}`,
    }));
    await processEach('S-4', added);
    await processEach('S-4-reversed', [...added].reverse());
    const sums = (await entities()).map(({ data }) => data);
    expect(sums).toEqual(['{"quantity":9007199254740993.20}', '{"quantity":9007199254740993.20}']);
  });

  test('of a value that no rule can use is a dead letter at once, and changes nothing', async () => {
    await processEach('S-5', [{ eventType: 'stock.adjusted', version: 1, payload: '{"delta":"many"}' }]);
    expect(await entities()).toEqual([]);
    expect(await shop.query(`SELECT status, reject_reason, retry_count FROM work`)).toMatchObject([
      { status: 'dead', reject_reason: 'merge.unusable' },
    ]);
  });

  test('go on from records that were written before there were places below a field', async () => {
    await processEach('C-6', [{ version: 5, payload: '{"name":"Ada","address":{"city":"Ulm"}}' }]);
    await shop.query(`UPDATE records SET field_clocks = '{"name":{"order":"7","key":"k"}}', data = data`);
    await processEach('C-6', [
      { version: 6, payload: '{"name":"stale by its field","address":{"city":"Bonn"}}' },
      { version: 6, eventType: 'customer.noted', payload: '{"name":"stale as well","address":{"zip":"1"}}' },
    ]);
    const [entity] = await entities();
    expect(JSON.parse(entity?.data ?? '')).toEqual({ name: 'Ada', address: { city: 'Bonn', zip: '1' } });
  });
});
