import { expect, test } from '@jest/globals';
import { newInternalId, type InternalId } from '../../../src/domain/ids.js';
import { EntitiesService } from '../../../src/flow/entities/entities.service.js';
import { eventually } from '../../support/eventually.js';
import { wireShop } from '../../support/wired-shop.js';

const shop = wireShop();

test('an entity is held by one transaction at a time, so that the second one sees what the first one made', async () => {
  const internalId: InternalId = newInternalId(Date.now());
  const wanted = new Map([[internalId, 'customer']]);
  await raiseRevision();

  let second: Promise<bigint> | undefined;
  let isDone = false;
  await raiseRevision(async () => {
    second = shop.second.database
      .transaction(async (other) => shop.second.get(EntitiesService).hold(other, wanted))
      .then((entities) => entities.of(internalId).revision)
      .finally(() => (isDone = true));
    await eventually(async () => {
      const waiting = await shop.query('SELECT 1 FROM pg_locks WHERE NOT granted');
      expect(isDone || waiting.length > 0).toBe(true);
    });
  });
  expect(await second).toBe(2n);

  /** In one transaction, which runs `meanwhile` while it holds the entity. */
  async function raiseRevision(meanwhile = async (): Promise<void> => undefined): Promise<void> {
    await shop.first.database.transaction(async (tx) => {
      const held = (await shop.first.get(EntitiesService).hold(tx, wanted)).of(internalId);
      await meanwhile();
      held.revision += 1n;
      held.isChanged = true;
      await shop.first.get(EntitiesService).save(tx, [held]);
    });
  }
});
