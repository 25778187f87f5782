import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Installation } from '../../support/installation.js';
import { PublicCase } from '../../support/public-case.js';
import { CASES_CONTRACT, send } from './case-senders.js';

describe('public cases: what events make of a record', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({ contract: CASES_CONTRACT, roles: ['all'] });
  });

  afterAll(() => crosswalk.stop());

  beforeEach(() => crosswalk.erp.reset());

  async function dataOf(system: string, entityType: string, externalId: string): Promise<unknown> {
    const internalId = await crosswalk.client().internalId(system, entityType, externalId);
    return (await crosswalk.client().entity(entityType, internalId)).data;
  }

  test('C19: an update before its create is one entity and one create, and the late create is stale', async () => {
    const c19 = new PublicCase('C19');
    const update = await send(crosswalk.client(), 'shop-a', c19.body('u'));
    await crosswalk.idle();
    const create = await send(crosswalk.client(), 'shop-a', c19.body('c'));
    await crosswalk.idle();

    expect([update.status, create.status]).toEqual([200, 200]);
    const [first, late] = await Promise.all(
      [update, create].map(({ body }) => crosswalk.client().event(body.event_id ?? '')),
    );
    expect(late).toMatchObject({ outcome: 'stale', reason_code: 'version.stale', internal_id: first?.internal_id });
    expect(await dataOf('shop-a', 'order', '9001')).toEqual({ status: 'paid' });
    expect((await crosswalk.erp.calls()).map(({ method }) => method)).toEqual(['POST']);
  });

  test('C19: both at once end in the same state, with one create', async () => {
    const c19 = new PublicCase('C19');
    const bodies = ['u', 'c'].map((step) => c19.body(step).replace('"9001"', '"9001-at-once"'));
    await Promise.all(bodies.map((body) => send(crosswalk.client(), 'shop-a', body)));
    await crosswalk.idle();

    expect(await dataOf('shop-a', 'order', '9001-at-once')).toEqual({ status: 'paid' });
    expect((await crosswalk.erp.calls()).filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect((await crosswalk.erp.records('orders')).map(({ raw }) => JSON.parse(raw) as unknown)).toMatchObject([
      { status: 'paid' },
    ]);
  });

  test('C23: an absent field keeps its value, null clears it, and an empty text is a value', async () => {
    const c23 = new PublicCase('C23');
    const customer = (): Promise<unknown> => dataOf('crm-a', 'customer', 'C1');
    await send(crosswalk.client(), 'crm-a', c23.body('a'));
    await crosswalk.idle();
    await send(crosswalk.client(), 'crm-a', c23.body('b'));
    await crosswalk.idle();
    expect(await customer()).toEqual({ email: 'p1@example.test', phone: '+2000', note: 'x' });

    await send(crosswalk.client(), 'crm-a', c23.body('c'));
    await crosswalk.idle();
    expect(await customer()).toEqual({ email: 'p1@example.test', phone: '+2000', note: null });

    // The fourth event is told in the case's words only.
    const emptied = { entity: 'customer', id: 'C1', event: 'customer.updated', version: 4, data: { email: '' } };
    await send(crosswalk.client(), 'crm-a', JSON.stringify(emptied));
    await crosswalk.idle();
    expect(await customer()).toEqual({ email: '', phone: '+2000', note: null });
  });

  test('C23: its events end in the same state when the last comes first', async () => {
    const c23 = new PublicCase('C23');
    for (const step of ['c', 'b', 'a']) {
      await send(crosswalk.client(), 'crm-a', c23.body(step).replace('"C1"', '"C1-reversed"'));
      await crosswalk.idle();
    }
    const expected = { email: 'p1@example.test', phone: '+2000', note: null };
    expect(await dataOf('crm-a', 'customer', 'C1-reversed')).toEqual(expected);
  });
});
