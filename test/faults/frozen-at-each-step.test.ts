import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { Installation } from '../support/installation.js';
import { orderPlaced, sendFact, stockAdjusted } from './facts.js';
import type { Envelope } from './facts.js';
import { Freezing } from './freezing.js';

/** Fault 13, in the transactions of an event's effect and of a delivery, and of what failed in them. */
describe('a worker frozen at each step of its transactions stops nobody, and everything is applied once', () => {
  let freezing: Freezing;
  let crosswalk: Installation;

  beforeAll(async () => {
    const contract = 'test/faults/faults-contract.yaml';
    freezing = await Freezing.start({ contract, roles: ['api'], victim: 'worker', bystander: 'worker' });
    crosswalk = freezing.crosswalk;
  }, 300_000);

  afterAll(() => freezing.stop());

  async function accept(envelope: Envelope): Promise<string> {
    const { body } = await sendFact(crosswalk.client(), envelope);
    expect(body).toMatchObject({ verdict: 'accepted' });
    return body.event_id ?? '';
  }

  const ended = async (eventId: string, status: string): Promise<unknown> =>
    eventually(async () => expect(await crosswalk.client().event(eventId)).toMatchObject({ status }));

  async function expectOrderOnce(id: string, eventIds: readonly string[], customerId = `C-${id}`): Promise<void> {
    for (const eventId of eventIds) {
      const ends = `FROM trace WHERE event_id = $1 AND status = 'COMPLETED'`;
      expect(await crosswalk.count(ends, [eventId])).toBe(1);
    }
    const internalId = await crosswalk.client().internalId('crm', 'order', id);
    const { data, deliveries } = await crosswalk.client().entity('order', internalId);
    expect(data).toEqual({ customer_id: customerId, total: '2.00' });
    expect(deliveries).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }]);
    for (const target of [crosswalk.erp, crosswalk.wms]) {
      const mine = (await target.records('orders')).filter(({ ref }) => ref === internalId);
      expect(mine.map(({ raw }) => JSON.parse(raw) as unknown)).toMatchObject([{ total: '2.00' }]);
    }
  }

  /** A second version of the frozen order, and another order of the same customer. */
  async function goOnWith(id: string): Promise<string[]> {
    const eventIds = [
      await accept(orderPlaced(id, 2, `C-${id}`)),
      await accept(orderPlaced(`${id}-too`, 2, `C-${id}`)),
    ];
    for (const eventId of eventIds) await ended(eventId, 'COMPLETED');
    return eventIds;
  }

  test('at each step of the effect of an event', async () => {
    const further = new Map<string, string[]>();
    const steps = await freezing.freezeAtEachStep(
      (texts) => /INSERT INTO records/.test(texts) && /DELETE FROM work/.test(texts),
      {
        begin: async (id) => accept(orderPlaced(id, 1, `C-${id}`)),
        meanwhile: async (id, eventId) => {
          further.set(id, await goOnWith(id));
          await ended(eventId, 'COMPLETED');
        },
        atTheEnd: async (id, eventId) => {
          await expectOrderOnce(id, [eventId, ...(further.get(id) ?? [])]);
          await expectOrderOnce(`${id}-too`, [], `C-${id}`);
        },
      },
    );
    expect(steps).toBeGreaterThan(6);
  }, 180_000);

  test('at each step of the record of a delivery', async () => {
    const steps = await freezing.freezeAtEachStep((texts) => /reached_revision = \$/.test(texts), {
      begin: async (id) => accept(orderPlaced(id, 1, `C-${id}`)),
      meanwhile: async (id, eventId) => {
        const eventIds = await goOnWith(id);
        await eventually(async () => expectOrderOnce(id, [eventId, ...eventIds]));
      },
      atTheEnd: async (id, eventId) => expectOrderOnce(id, [eventId]),
    });
    expect(steps).toBeGreaterThan(2);
  }, 180_000);

  test('at each step of the record of a delivery that failed', async () => {
    const steps = await freezing.freezeAtEachStep((texts) => /dirty_seq = deliveries\.dirty_seq \+ CASE/.test(texts), {
      begin: async (id) => {
        await crosswalk.erp.scriptFaults([{ kind: 'status', status: 500, method: 'POST', times: 1 }]);
        return accept(orderPlaced(id, 1, `C-${id}`));
      },
      meanwhile: async (id, eventId) => {
        const eventIds = await goOnWith(id);
        await eventually(async () => expectOrderOnce(id, [eventId, ...eventIds]));
      },
      atTheEnd: async (id, eventId) => expectOrderOnce(id, [eventId]),
    });
    expect(steps).toBeGreaterThan(2);
  }, 180_000);

  test('at each step of the record of an event that failed', async () => {
    const steps = await freezing.freezeAtEachStep(
      (texts) => /UPDATE work/.test(texts) && /INSERT INTO trace/.test(texts) && !/deliveries/.test(texts),
      {
        // What is no number cannot be added: the event is given up at its first attempt.
        begin: async (id) => accept(stockAdjusted(id, 1, { delta: 'much' })),
        meanwhile: async (id, eventId) => {
          const next = await accept(stockAdjusted(id, 2, { delta: 2 }));
          await ended(next, 'COMPLETED');
          await ended(eventId, 'DEAD');
        },
        atTheEnd: async (id, eventId) => {
          expect(await crosswalk.count(`FROM trace WHERE event_id = $1 AND status = 'DEAD'`, [eventId])).toBe(1);
          const internalId = await crosswalk.client().internalId('crm', 'stock', id);
          expect((await crosswalk.client().entity('stock', internalId)).data).toEqual({ quantity: 2 });
        },
      },
    );
    expect(steps).toBeGreaterThan(2);
  }, 180_000);
});
