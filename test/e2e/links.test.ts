import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer, EventView } from '../support/crosswalk-client.js';
import { CREDENTIALS, Installation } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';

const KEYS = { crm: CREDENTIALS.CRM_API_KEY, erp: CREDENTIALS.ERP_API_KEY, wms: CREDENTIALS.WMS_API_KEY } as const;

describe('one identity over several systems', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    const contract = 'test/e2e/links.crosswalk.yaml';
    crosswalk = await Installation.start({ contract, roles: ['all'], redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  beforeEach(() => crosswalk.erp.reset());

  async function send(source: keyof typeof KEYS, event: Readonly<Record<string, unknown>>): Promise<Answer> {
    const answer = await crosswalk.client().sendEvent(JSON.stringify(event), { 'x-api-key': KEYS[source] });
    await crosswalk.idle();
    return answer;
  }

  async function sendCustomer(
    source: keyof typeof KEYS,
    id: string,
    parts: { readonly links?: unknown; readonly internal_id?: string; readonly version?: number } = {},
  ): Promise<EventView> {
    const { links, internal_id, version = 1 } = parts;
    const answer = await send(source, {
      idempotency_key: `${source}:${id}:${version}`,
      event_type: 'customer.changed',
      entity: { type: 'customer', external_id: id, internal_id },
      version,
      links,
      payload: { name: `${id} v${version}` },
    });
    expect(answer).toMatchObject({ status: 202 });
    return crosswalk.client().event(answer.body.event_id ?? '');
  }

  const calls = async () => (await crosswalk.erp.calls()).map(({ method, path }) => `${method} ${path.split('?')[0]}`);

  test('a customer whose record in the ERP is named by the CRM is updated there, and no second record is made', async () => {
    const erpId = await madeInErp();
    const event = await sendCustomer('crm', 'CRM-1', { links: [{ system: 'erp', external_id: erpId }] });
    expect(event).toMatchObject({
      status: 'COMPLETED',
      outcome: 'applied',
      links: [{ system: 'erp', external_id: erpId }],
    });
    expect(await calls()).toEqual([`PUT /customers/${erpId}`]);
    expect(await crosswalk.client().internalId('erp', 'customer', erpId)).toBe(event.internal_id);
  });

  test('a link that the CRM may not make is put before a person, and the customer arrives all the same', async () => {
    const event = await sendCustomer('crm', 'CRM-2', { links: [{ system: 'wms', external_id: 'WMS-2' }] });
    expect(event).toMatchObject({ status: 'COMPLETED', outcome: 'applied', reason_code: 'link.conflict' });
    expect(await calls()).toEqual(['POST /customers']);
    expect(await crosswalk.client().conflicts('link')).toMatchObject([
      { external_id: 'WMS-2', candidates: [{ role: 'asked', reason: 'not_allowed', internal_id: event.internal_id }] },
    ]);
  });

  test('the ERP reports what we created there under our reference: one customer, however often', async () => {
    const { internal_id = '' } = await sendCustomer('crm', 'CRM-3');
    const id = await erpIdOf(internal_id);
    const report = await sendCustomer('erp', id, { internal_id });
    expect(report).toMatchObject({ internal_id, entity: { internal_id } });
    expect(await crosswalk.count(`FROM mappings WHERE internal_id = $1`, [internal_id])).toBe(2);
    const { records } = await crosswalk.client().entity('customer', internal_id);
    expect(records.map(({ source }) => source).sort()).toEqual(['crm', 'erp']);
  });

  test('two customers that exist on both sides are not made one by a link', async () => {
    const one = await sendCustomer('crm', 'CRM-4');
    const other = await sendCustomer('erp', 'ERP-4');
    const linked = await sendCustomer('crm', 'CRM-4', { version: 2, links: [{ system: 'erp', external_id: 'ERP-4' }] });
    expect(linked).toMatchObject({ internal_id: one.internal_id, outcome: 'applied', reason_code: 'link.conflict' });
    expect(await crosswalk.client().internalId('erp', 'customer', 'ERP-4')).toBe(other.internal_id);
    const [question] = await crosswalk.client().conflicts('link');
    expect(question?.candidates.map((candidate) => candidate['internal_id'])).toEqual([
      one.internal_id,
      other.internal_id,
    ]);
  });

  test('a gateway reports on an order of the shop: two records of one order, and the customer is the shop’s', async () => {
    const order = (key: string, parts: Readonly<Record<string, unknown>>, payload: object) => ({
      idempotency_key: key,
      event_type: 'order.changed',
      entity: { type: 'order', external_id: 'O-1', ...parts },
      payload,
    });
    await send('crm', order('placed', {}, { total: '10.00', customer: 'CRM-5' }));
    const paid = await send('wms', order('paid', { system: 'crm' }, { paid: true, customer: 'CRM-5' }));
    const guest = await send('crm', { ...order('guest', { external_id: 'O-2' }, { customer: 0 }) });

    const { internal_id = '', ...event } = await crosswalk.client().event(paid.body.event_id ?? '');
    expect(event).toMatchObject({ source: 'wms', entity: { system: 'crm', external_id: 'O-1' } });
    const entity = await crosswalk.client().entity('order', internal_id);
    expect(entity.records.map(({ source, system }) => [source, system]).sort()).toEqual([
      ['crm', 'crm'],
      ['wms', 'crm'],
    ]);
    const customer = await crosswalk.client().internalId('crm', 'customer', 'CRM-5');
    expect(entity.references.map((reference) => [reference.source, reference.internal_id]).sort()).toEqual([
      ['crm', customer],
      ['wms', customer],
    ]);
    const guestOrder = await crosswalk.client().event(guest.body.event_id ?? '');
    expect((await crosswalk.client().entity('order', guestOrder.internal_id ?? '')).references).toEqual([]);
    await expect(crosswalk.client().internalId('crm', 'customer', '0')).rejects.toThrow('mapping.not_found');
    // The customer becomes one with its own first event, under the id that the orders have had all along.
    expect((await sendCustomer('crm', 'CRM-5')).internal_id).toBe(customer);
    expect(await calls()).toEqual(['POST /customers']);
  });

  test('an order without a usable customer is refused, and the sender told where', async () => {
    const answer = await send('crm', {
      idempotency_key: 'unusable',
      event_type: 'order.changed',
      entity: { type: 'order', external_id: 'O-3' },
      payload: { customer: {} },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'reference.invalid', at: '/payload/customer' } });
  });

  /** The ERP has a customer that it made itself. */
  async function madeInErp(): Promise<string> {
    const answer = await fetch(`${crosswalk.erp.url}/customers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"made by hand"}',
    });
    const { id } = (await answer.json()) as { readonly id: string };
    await crosswalk.erp.clearCalls();
    return id;
  }

  async function erpIdOf(internalId: string): Promise<string> {
    const { mappings } = await crosswalk.client().entity('customer', internalId);
    return mappings.find(({ system }) => system === 'erp')?.external_id ?? '';
  }
});
