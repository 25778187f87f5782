import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { LinkService } from '../../../src/flow/id-map/link.service.js';
import { newInternalId } from '../../../src/domain/ids.js';
import { ParkingService } from '../../../src/flow/parking/parking.service.js';
import { eventually } from '../../support/eventually.js';
import { newGate, type Gate } from '../../support/gate.js';
import { stepsShop } from '../../support/steps-shop.js';

/** Two transactions that meet at the name of a product: one finds it missing and parks, the other makes it known. */
describe('whoever has the name of an unknown id first', () => {
  const shop = stepsShop();
  let isThere: Gate;
  let goOn: Gate;

  beforeEach(async () => {
    await shop.query('TRUNCATE mappings, entities, records, deliveries, work, idempotency_keys, events, trace');
    [isThere, goOn] = [newGate(), newGate()];
    const payload = '{"lines":[{"product":"P-1"}]}';
    await shop.remember({ eventType: 'order.updated', externalId: 'O-1', payload });
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  const link = async (): Promise<unknown> =>
    shop.second.get(LinkService).link({
      system: 'crm',
      entityType: 'product',
      externalId: 'P-1',
      rawExternalId: 'P-1',
      internalId: newInternalId(Date.now()),
    });

  /** Until the second of the two waits for the first, or has not waited and is done. */
  async function untilItWaits(second: Promise<unknown>): Promise<void> {
    let isDone = false;
    void second.finally(() => (isDone = true));
    await eventually(async () => {
      const waiting = await shop.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`);
      expect(isDone || waiting.length > 0).toBe(true);
    });
  }

  test('to park makes the landing wait, which then wakes the event', async () => {
    const parking = shop.first.get(ParkingService);
    const park = parking.park.bind(parking);
    jest.spyOn(parking, 'park').mockImplementation(async (tx, parked) => {
      isThere.open();
      await goOn.opened;
      return park(tx, parked);
    });
    const parked = shop.run(shop.first);
    await isThere.opened;
    const landing = link();
    await untilItWaits(landing);
    jest.restoreAllMocks();
    goOn.open();
    await Promise.all([parked, landing]);
    await shop.run();
    expect(await shop.standing('order:O-1:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('to land makes the event wait, which then finds the id and is not parked', async () => {
    const parking = shop.second.get(ParkingService);
    const release = parking.release.bind(parking);
    jest.spyOn(parking, 'release').mockImplementation(async (tx, things) => {
      const released = await release(tx, things);
      isThere.open();
      await goOn.opened;
      return released;
    });
    const landing = link();
    await isThere.opened;
    const processed = shop.run(shop.first);
    await untilItWaits(processed);
    goOn.open();
    await Promise.all([processed, landing]);
    await shop.run();
    expect(await shop.standing('order:O-1:v1')).toMatchObject({ outcome: 'applied' });
    expect(await shop.query(`SELECT 1 FROM trace WHERE status = 'PARKED'`)).toEqual([]);
  });
});
