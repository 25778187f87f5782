import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { Installation } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';
import { orderPlaced, sendFact, stockAdjusted } from './facts.js';
import type { Envelope } from './facts.js';
import { startFreezableProcess } from '../support/freezable-process.js';
import type { FreezableProcess } from '../support/freezable-process.js';

/**
 * Fault 13. Each round freezes a worker at one step of one transaction, with all its locks held, and does not thaw it
 * before the other worker has done everything: the frozen one's work, and further work on the same entities and names.
 */
describe('a worker frozen at each step of its transactions stops nobody, and everything is applied once', () => {
  let crosswalk: Installation;
  let victim: FreezableProcess;
  let bystander: FreezableProcess;
  let rounds = 0;

  beforeAll(async () => {
    let database = '';
    crosswalk = await Installation.start({
      contract: 'test/faults/faults-contract.yaml',
      roles: ['api'],
      redisUrl: sharedRedisUrl(),
      databaseUrl: (url) => (database = url),
    });
    victim = await startFreezableProcess(crosswalk, 'worker', database);
    bystander = await startFreezableProcess(crosswalk, 'worker', database);
  });

  afterAll(async () => {
    await victim.service.kill('SIGCONT');
    bystander.proxy.letGo();
    await crosswalk.stop();
    await victim.proxy.close();
    await bystander.proxy.close();
  });

  async function accept(envelope: Envelope): Promise<string> {
    const { body } = await sendFact(crosswalk.client(), envelope);
    expect(body).toMatchObject({ verdict: 'accepted' });
    return body.event_id ?? '';
  }

  const ended = async (eventId: string, status: string): Promise<unknown> =>
    eventually(async () => expect(await crosswalk.client().event(eventId)).toMatchObject({ status }));

  /** Lets the victim do a piece of work, the bystander held, and finds the transaction in which it does it. */
  async function learnTransaction(begin: () => Promise<unknown>, isIt: (texts: string) => boolean) {
    bystander.proxy.hold();
    const transactions = await victim.transactionsDuring(async () => {
      await begin();
      await crosswalk.idle();
    });
    bystander.proxy.letGo();
    const found = transactions.find((texts) => isIt(texts.join('\n')));
    if (found === undefined) throw new Error(`No such transaction among ${JSON.stringify(transactions)}`);
    return found;
  }

  interface Round {
    /** Gives the victim the work; resolves to the event's id. */
    readonly begin: (id: string) => Promise<string>;
    /** What happens and must be seen while the victim is frozen. */
    readonly meanwhile: (id: string, eventId: string) => Promise<unknown>;
    /** What must be true when it was thawed and nothing is left to do. */
    readonly atTheEnd: (id: string, eventId: string) => Promise<unknown>;
  }

  /** One round for each step of the transaction: before each statement but BEGIN, and after COMMIT. */
  async function freezeAtEachStep(isIt: (texts: string) => boolean, round: Round): Promise<number> {
    const texts = await learnTransaction(() => round.begin(nextId()), isIt);
    const steps = [...texts.keys()].slice(1).map((at) => ({ at, when: 'before' as const }));
    for (const step of [...steps, { at: texts.length - 1, when: 'after' as const }]) {
      const id = nextId();
      const upToHere = texts.slice(0, step.at + 1).join('\n');
      bystander.proxy.hold();
      const freeze = victim.freezeAt(({ transaction }) => transaction.join('\n') === upToHere, step.when);
      const eventId = await round.begin(id);
      await freeze.frozen;
      bystander.proxy.letGo();
      try {
        await round.meanwhile(id, eventId);
      } catch (cause) {
        throw new Error(`Frozen ${step.when} statement ${step.at}: ${texts[step.at]}`, { cause });
      } finally {
        await freeze.thaw();
      }
      await crosswalk.idle();
      await round.atTheEnd(id, eventId);
    }
    return steps.length + 1;
  }

  function nextId(): string {
    rounds += 1;
    return `F-${rounds}`;
  }

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
    const steps = await freezeAtEachStep(
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
    const steps = await freezeAtEachStep((texts) => /reached_revision = \$/.test(texts), {
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
    const steps = await freezeAtEachStep((texts) => /dirty_seq = deliveries\.dirty_seq \+ CASE/.test(texts), {
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
    const steps = await freezeAtEachStep(
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
