import { beforeEach, describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { wireShop } from '../../support/wired-shop.js';

describe('the revision of an entity', () => {
  const shop = wireShop();

  beforeEach(async () => shop.query('TRUNCATE mappings, records, entities, deliveries, work'));

  const name = (text: string): string => JSON.stringify({ name: text });
  async function rememberInOneGroup(...events: readonly Omit<ShopEvent, 'externalId'>[]): Promise<void> {
    const inbox = shop.first.get(InboxService);
    await Promise.all(
      events.map(async (event, at) =>
        inbox.remember(shop.event({ externalId: 'C-1', key: `${Math.random()}:${at}`, ...event })),
      ),
    );
  }
  async function processEvents(...events: readonly Omit<ShopEvent, 'externalId'>[]): Promise<void> {
    await rememberInOneGroup(...events);
    while (await shop.first.get(EventRunner).runDue());
  }
  const entity = async (): Promise<unknown> => (await shop.query('SELECT revision, data FROM entities'))[0];
  const wanted = async (): Promise<unknown> => (await shop.query('SELECT wanted_revision FROM deliveries'))[0];

  test('begins at one and grows by one with each change', async () => {
    await processEvents({ version: 1, payload: name('Ada') });
    expect(await entity()).toEqual({ revision: 1n, data: name('Ada') });
    await processEvents({ version: 2, payload: name('Bob') });
    expect(await entity()).toEqual({ revision: 2n, data: name('Bob') });
    expect(await wanted()).toEqual({ wanted_revision: 2n });
  });

  test('stays, and no target is told, where a newer version says the same', async () => {
    await processEvents({ version: 1, payload: '{"name":"Ada","limit":100}' });
    await processEvents({ version: 2, payload: '{"limit":100.00, "name":"Ada"}' });
    expect(await entity()).toMatchObject({ revision: 1n });
    expect(await wanted()).toEqual({ wanted_revision: 1n });
    // But the version counts: what is older than it is stale from now on.
    await processEvents({ version: 1, payload: name('Eve') });
    expect(await entity()).toMatchObject({ revision: 1n });
  });

  test('stays where the event came too late', async () => {
    await processEvents({ version: 5, payload: name('Ada') });
    await processEvents({ version: 4, payload: name('Bob') });
    expect(await entity()).toEqual({ revision: 1n, data: name('Ada') });
  });

  test('is told to the target once for a batch of changes, and the highest version wins in any order', async () => {
    await processEvents(...[3, 1, 5, 2, 4].map((version) => ({ version, payload: name(`v${version}`) })));
    const { revision, data } = (await entity()) as { revision: bigint; data: string };
    expect(data).toBe(name('v5'));
    expect(await wanted()).toEqual({ wanted_revision: revision });
    expect(await shop.query(`SELECT key FROM work WHERE kind = 'delivery'`)).toHaveLength(1);
  });
});
