import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { Installation } from '../support/installation.js';
import { customerUpdated, parcelMoved, sendFact } from '../faults/facts.js';
import type { Envelope } from '../faults/facts.js';
import { Freezing } from '../faults/freezing.js';

/** Fault 13, in the transactions of everything that waits. */
describe('a worker frozen at each step of parking, release and landing loses no wake-up', () => {
  let freezing: Freezing;
  let crosswalk: Installation;

  beforeAll(async () => {
    const contract = 'test/faults/faults-states-contract.yaml';
    freezing = await Freezing.start({ contract, roles: ['api'], victim: 'worker', bystander: 'worker' });
    crosswalk = freezing.crosswalk;
  }, 300_000);

  afterAll(() => freezing.stop());

  async function accept(envelope: Envelope): Promise<string> {
    const { body } = await sendFact(crosswalk.client(), envelope);
    expect(body).toMatchObject({ verdict: 'accepted' });
    return body.event_id ?? '';
  }

  const stands = async (eventId: string, status: string): Promise<unknown> =>
    eventually(async () => expect(await crosswalk.client().event(eventId)).toMatchObject({ status }));

  const park = async (id: string): Promise<unknown> => stands(await accept(parcelMoved(id, 'DELIVERED')), 'PARKED');

  const ends = async (eventId: string): Promise<number> =>
    crosswalk.count(`FROM trace WHERE event_id = $1 AND status IN ('COMPLETED', 'DEAD')`, [eventId]);

  async function expectDelivered(id: string): Promise<void> {
    const internalId = await crosswalk.client().internalId('crm', 'parcel', id);
    expect(await crosswalk.client().entity('parcel', internalId)).toMatchObject({
      state: 'DELIVERED',
      path: ['PACKED', 'SHIPPED', 'DELIVERED'].map((state) => ({ state })),
      data: { SHIPPED: 'yes', DELIVERED: 'yes' },
    });
  }

  test('where an event is parked', async () => {
    const steps = await freezing.freezeAtEachStep((texts) => texts.includes(`SET status = 'waiting'`), {
      begin: async (id) => accept(parcelMoved(id, 'DELIVERED')),
      isDone: async (_id, eventId) => stands(eventId, 'PARKED'),
      meanwhile: async (id, eventId) => {
        await stands(await accept(parcelMoved(id, 'SHIPPED')), 'COMPLETED');
        await stands(eventId, 'COMPLETED');
      },
      atTheEnd: async (id, eventId) => {
        await expectDelivered(id);
        expect(await ends(eventId)).toBe(1);
      },
    });
    expect(steps).toBeGreaterThan(3);
  }, 300_000);

  test('where an event is applied that another one waits for', async () => {
    const steps = await freezing.freezeAtEachStep(
      (texts) => /INSERT INTO records/.test(texts) && texts.includes('waits_for = NULL'),
      {
        prepare: park,
        begin: async (id) => accept(parcelMoved(id, 'SHIPPED')),
        meanwhile: async (id, eventId) => {
          await stands(eventId, 'COMPLETED');
          await eventually(async () => expectDelivered(id));
        },
        atTheEnd: async (id, eventId) => {
          await expectDelivered(id);
          expect(await ends(eventId)).toBe(1);
        },
      },
    );
    expect(steps).toBeGreaterThan(6);
  }, 300_000);

  test('where the id that a target gave becomes known', async () => {
    const isLanding = (texts: string): boolean => /pg_advisory_xact_lock/.test(texts) && /UPDATE mappings/.test(texts);
    const steps = await freezing.freezeAtEachStep(isLanding, {
      begin: async (id) => accept(customerUpdated(id, 1)),
      meanwhile: async (id) => {
        await stands(await accept(customerUpdated(id, 2)), 'COMPLETED');
        const internalId = await crosswalk.client().internalId('crm', 'customer', id);
        await eventually(async () =>
          expect((await crosswalk.client().entity('customer', internalId)).deliveries).toMatchObject([
            { status: 'delivered' },
            { status: 'delivered' },
          ]),
        );
      },
      atTheEnd: async (id) => {
        const internalId = await crosswalk.client().internalId('crm', 'customer', id);
        for (const target of [crosswalk.erp, crosswalk.wms]) {
          const mine = (await target.records('customers')).filter(({ ref }) => ref === internalId);
          expect(mine.map(({ raw }) => JSON.parse(raw) as unknown)).toMatchObject([{ name: `${id} v2` }]);
        }
      },
    });
    expect(steps).toBeGreaterThan(2);
  }, 300_000);

  test('where an event has waited for too long', async () => {
    const steps = await freezing.freezeAtEachStep((texts) => texts.includes(`It waited in vain`), {
      prepare: park,
      begin: async (id) => {
        const [parked] = await crosswalk.query<{ key: string }>(
          `UPDATE work SET wait_until = now() - interval '1 s' FROM events
            WHERE work.event_id = events.event_id AND events.external_id = $1 RETURNING work.key`,
          [id],
        );
        return parked?.key ?? '';
      },
      meanwhile: async (_id, eventId) => stands(eventId, 'DEAD'),
      atTheEnd: async (_id, eventId) => {
        await stands(eventId, 'DEAD');
        expect(await ends(eventId)).toBe(1);
      },
    });
    expect(steps).toBeGreaterThan(3);
  }, 300_000);
});
