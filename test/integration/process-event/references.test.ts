import { beforeEach, describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { eventToProcess } from '../../../src/flow/process-event/event-to-process.js';
import { ProcessEvent } from '../../../src/flow/process-event/process-event.js';
import { WorkService } from '../../../src/flow/work/work.service.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { wireShop } from '../../support/wired-shop.js';

describe('references to other entities', () => {
  const shop = wireShop();

  beforeEach(async () => shop.query('TRUNCATE mappings, entities, records, deliveries, work, conflicts'));

  async function remember(...events: readonly ShopEvent[]): Promise<void> {
    for (const event of events) await shop.first.get(InboxService).remember(shop.event(event));
  }
  async function process(...events: readonly ShopEvent[]): Promise<void> {
    await remember(...events);
    while (await shop.first.get(EventRunner).runDue());
  }
  const order = (externalId: string, version: number, payload: string): ShopEvent => ({
    eventType: 'order.placed',
    externalId,
    version,
    payload,
  });

  async function referencesOf(externalId: string): Promise<readonly string[]> {
    const rows = await shop.query<{ refs: string | null }>(
      `SELECT refs FROM records WHERE entity_type = 'order' AND external_id = $1`,
      [externalId],
    );
    const names = await shop.query<{ internal_id: string; name: string }>(
      `SELECT internal_id, system || ':' || external_id AS name FROM mappings`,
    );
    const nameOf = new Map(names.map(({ internal_id, name }) => [internal_id, name]));
    return rows.flatMap(({ refs }) =>
      Object.values(JSON.parse(refs ?? '{}') as Record<string, { refs: { path: string; internal_id: string }[] }>)
        .flatMap(({ refs: list }) => list)
        .map(({ path, internal_id }) => `${path} ${nameOf.get(internal_id) ?? 'nobody'}`),
    );
  }

  test('to an entity that nobody knows yet make it in the map and nowhere else', async () => {
    await process(order('R-1', 1, '{"customer_id":77,"lines":[{"stock_id":"a"},{"stock_id":"b"},{"stock_id":"a"}]}'));
    expect(await referencesOf('R-1')).toEqual([
      '/customer_id crm:77',
      '/lines/0/stock_id crm:a',
      '/lines/1/stock_id crm:b',
      '/lines/2/stock_id crm:a',
    ]);
    expect(await shop.query('SELECT entity_type, external_id FROM mappings ORDER BY 1, 2')).toEqual([
      { entity_type: 'customer', external_id: '77' },
      { entity_type: 'order', external_id: 'R-1' },
      { entity_type: 'stock', external_id: 'a' },
      { entity_type: 'stock', external_id: 'b' },
    ]);
    expect(await shop.query('SELECT entity_type FROM entities')).toEqual([{ entity_type: 'order' }]);
    expect(await shop.query('SELECT entity_type FROM deliveries')).toEqual([]);
    expect(await shop.query(`SELECT key FROM work`)).toEqual([]);
  });

  test('lead to the entity that is made of its first event, which then is delivered', async () => {
    await process(order('R-2', 1, '{"customer_id":"78"}'));
    await process({ externalId: '78' });
    expect(await referencesOf('R-2')).toEqual(['/customer_id crm:78']);
    expect(
      await shop.query(
        `SELECT deliveries.target FROM deliveries JOIN mappings USING (internal_id) WHERE mappings.external_id = '78'`,
      ),
    ).toEqual([{ target: 'erp' }]);
  });

  test.each(['0', '"0"', 'null', undefined])('say with %s that there is nobody', async (customer) => {
    const payload = customer === undefined ? '{}' : `{"customer_id":${customer}}`;
    await process(order('R-3', 1, '{"customer_id":77}'), order('R-3', 2, payload));
    expect(await referencesOf('R-3')).toEqual([]);
    expect(await shop.query(`SELECT 1 FROM mappings WHERE external_id = '0'`)).toEqual([]);
  });

  test('are those of the newest event, in whatever order events come', async () => {
    const [v1, v2, v3] = [1, 2, 3].map((version) => order('R-4', version, `{"customer_id":"c${version}"}`));
    if (v1 === undefined || v2 === undefined || v3 === undefined) throw new Error('There are three.');
    await process(v2, v1);
    expect(await referencesOf('R-4')).toEqual(['/customer_id crm:c2']);
    await process(v3);
    expect(await referencesOf('R-4')).toEqual(['/customer_id crm:c3']);
  });

  test('stay where a patch says nothing about them, and change where it does', async () => {
    const noted = (version: number, payload: string): ShopEvent => ({
      eventType: 'order.noted',
      externalId: 'R-5',
      version,
      key: `note-${version}`,
      payload,
    });
    await process(order('R-5', 1, '{"customer_id":"c1"}'), noted(2, '{"note":"x"}'));
    expect(await referencesOf('R-5')).toEqual(['/customer_id crm:c1']);
    await process(noted(3, '{"customer_id":"c3"}'), noted(2, '{"customer_id":"c2"}'));
    expect(await referencesOf('R-5')).toEqual(['/customer_id crm:c3']);
    await process(order('R-5', 2, '{"customer_id":"late"}'));
    expect(await referencesOf('R-5')).toEqual(['/customer_id crm:c3']);
  });

  test('belong to the system whose record the event is about', async () => {
    await process({ ...order('R-6', 1, '{"customer_id":77}'), source: 'wms', system: 'crm' });
    expect(await referencesOf('R-6')).toEqual(['/customer_id crm:77']);
  });

  test('lead to the entity that an event of the same batch links', async () => {
    await process(order('R-7', 1, '{"customer_id":"79"}'), {
      externalId: '79',
      links: [{ system: 'erp', externalId: 'E-79' }],
    });
    const rows = await shop.query<{ internal_id: string }>(
      `SELECT DISTINCT internal_id FROM mappings WHERE entity_type = 'customer'`,
    );
    expect(rows).toHaveLength(1);
  });

  test('of twenty orders to one unknown customer, worked on at once by two processes, make one customer', async () => {
    for (let round = 0; round < 5; round++) {
      const orders = Array.from({ length: 20 }, (_, at) =>
        order(`R8-${round}-${at}`, 1, `{"customer_id":"x${round}"}`),
      );
      await remember(...orders);
      const claims = await shop.first.get(WorkService).claimDue('event', 20, shop.contract.settings.leaseMs);
      const accepted = await shop.first.get(InboxService).events(claims.map(({ key }) => key));
      const events = claims.flatMap((claim) =>
        accepted.filter((row) => row.event_id === claim.key).map((row) => eventToProcess(claim, row)),
      );
      const ends = events.map(async (event, at) =>
        (at % 2 === 0 ? shop.first : shop.second).get(ProcessEvent).process([event]),
      );
      expect(await Promise.all(ends)).toHaveLength(20);
      expect(await shop.query('SELECT 1 FROM mappings WHERE external_id = $1', [`x${round}`])).toHaveLength(1);
      const seen = await Promise.all(orders.map(async ({ externalId }) => referencesOf(externalId)));
      expect(seen).toEqual(Array(20).fill([`/customer_id crm:x${round}`]));
    }
  });
});
