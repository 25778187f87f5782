import { describe, expect, test } from '@jest/globals';
import type { EntityReference } from '../../../src/domain/event.js';
import type { InternalId } from '../../../src/domain/ids.js';
import { IdMapService } from '../../../src/flow/id-map/id-map.service.js';
import type { WiredServices } from '../../support/wired-services.js';
import { wireShop } from '../../support/wired-shop.js';

describe('the first sight of an external id', () => {
  const shop = wireShop();

  async function resolve(process: WiredServices, externalIds: readonly string[]): Promise<readonly InternalId[]> {
    const entities = externalIds.map(customer);
    return process.database.transaction(async (tx) => {
      const identities = await process.get(IdMapService).resolve(tx, entities);
      return entities.map((entity) => identities.of(entity));
    });
  }
  const processAt = (at: number): WiredServices => (at % 2 === 0 ? shop.first : shop.second);

  test('by twenty transactions of two processes at once makes one mapping', async () => {
    const seen = await Promise.all(Array.from({ length: 20 }, async (_, at) => resolve(processAt(at), ['C-1'])));
    expect(new Set(seen.flat()).size).toBe(1);
    expect(await shop.query(`SELECT internal_id FROM mappings WHERE external_id = 'C-1'`)).toEqual([
      { internal_id: seen[0]?.[0] },
    ]);
  });

  test('of many ids in opposite orders ends in no deadlock, and in one mapping each', async () => {
    for (let round = 0; round < 10; round++) {
      const externalIds = Array.from({ length: 100 }, (_, at) => `R${round}-${at}`);
      const turned = externalIds.toReversed();
      const orders = [externalIds, turned, externalIds, turned];
      const seen = await Promise.all(orders.map(async (order, at) => resolve(processAt(at), order)));
      const inOneOrder = seen.map((ids, at) => (at % 2 === 0 ? ids : ids.toReversed()));
      for (const ids of inOneOrder) expect(ids).toEqual(inOneOrder[0]);
      expect(new Set(inOneOrder[0]).size).toBe(100);
    }
    const [deadlocks] = await shop.query('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()');
    expect(deadlocks).toEqual({ deadlocks: 0n });
  });

  test('is by system and entity type: equal ids of others are other entities', async () => {
    const entities = [customer('7'), { ...customer('7'), system: 'erp' }, { ...customer('7'), type: 'order' }];
    const identities = await shop.first.database.transaction(async (tx) =>
      shop.first.get(IdMapService).resolve(tx, entities),
    );
    expect(new Set(entities.map((entity) => identities.of(entity))).size).toBe(3);
  });
});

function customer(externalId: string): EntityReference {
  return { system: 'crm', type: 'customer', externalId, rawExternalId: externalId };
}
