import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Installation } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';
import { customerUpdated, orderPlaced, parcelMoved, sendFact } from './facts.js';
import type { Envelope } from './facts.js';

describe('fault 4: the order in which facts come is reversed', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    const contract = 'test/faults/faults-states-contract.yaml';
    const roles = ['api', 'api', 'worker', 'worker'] as const;
    crosswalk = await Installation.start({ contract, roles, redisUrl: sharedRedisUrl() });
  }, 300_000);

  afterAll(() => crosswalk.stop());

  async function send(envelope: Envelope, status: string): Promise<string> {
    const { body } = await sendFact(crosswalk.client(), envelope);
    const eventId = body.event_id ?? '';
    await eventually(async () => expect(await crosswalk.client().event(eventId)).toMatchObject({ status }));
    return eventId;
  }

  test('a state that comes before the one it follows is parked, and both are applied, in their order', async () => {
    const signed = await send(parcelMoved('PC-1', 'SIGNED'), 'PARKED');
    const delivered = await send(parcelMoved('PC-1', 'DELIVERED'), 'PARKED');
    await send(parcelMoved('PC-1', 'SHIPPED'), 'COMPLETED');
    for (const eventId of [delivered, signed]) {
      await eventually(async () => {
        const event = await crosswalk.client().event(eventId);
        expect(event).toMatchObject({ status: 'COMPLETED', outcome: 'applied' });
      });
    }
    await crosswalk.idle();
    const internalId = await crosswalk.client().internalId('crm', 'parcel', 'PC-1');
    expect(await crosswalk.client().entity('parcel', internalId)).toMatchObject({
      state: 'SIGNED',
      path: ['PACKED', 'SHIPPED', 'DELIVERED', 'SIGNED'].map((state) => ({ state })),
      data: { SHIPPED: 'yes', DELIVERED: 'yes', SIGNED: 'yes' },
    });
  });

  test('an order that comes before its customer waits for it, and is applied with it', async () => {
    const order = await send(orderPlaced('O-1', 1, 'C-1'), 'PARKED');
    await send(customerUpdated('C-1', 1), 'COMPLETED');
    await eventually(async () => {
      expect(await crosswalk.client().event(order)).toMatchObject({ status: 'COMPLETED', outcome: 'applied' });
    });
    await crosswalk.idle();
    expect(await crosswalk.erp.records('orders')).toHaveLength(1);
  });
});
