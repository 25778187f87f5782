import { describe, expect, test } from '@jest/globals';
import { newInternalId, type InternalId } from '../../../src/domain/ids.js';
import { EntitiesService } from '../../../src/flow/entities/entities.service.js';
import { eventually } from '../../support/eventually.js';
import { wireShop } from '../../support/wired-shop.js';

describe('an entity that has an id but no record yet', () => {
  const shop = wireShop();

  test('is held by one transaction at a time, so that the second one sees what the first one made', async () => {
    const internalId: InternalId = newInternalId(Date.now());
    const wanted = new Map([[internalId, 'customer']]);
    let second: Promise<bigint> | undefined;
    let isDone = false;
    await shop.first.database.transaction(async (tx) => {
      const held = (await shop.first.get(EntitiesService).hold(tx, wanted)).of(internalId);
      second = shop.second.database
        .transaction(async (other) => shop.second.get(EntitiesService).hold(other, wanted))
        .then((entities) => entities.of(internalId).revision)
        .finally(() => (isDone = true));
      await eventually(async () => {
        const waiting = await shop.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
        expect(isDone || waiting.length > 0).toBe(true);
      });
      held.revision = 1n;
      held.isChanged = true;
      await shop.first.get(EntitiesService).save(tx, [held]);
    });
    expect(await second).toBe(1n);
  });
});
