import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { knownCustomer } from './known-customer.js';
import { serveShop, testThatAnswersAreDescribed } from './shop-api.js';

describe('GET /v1/entities/{entity_type}/{internal_id}', () => {
  const shop = serveShop();

  test('200: composed data, what each source says, ids everywhere, deliveries', async () => {
    const internalId = await knownCustomer(shop, 'C-1');
    await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-1', { version: 2 }) });
    await eventually(async () => {
      const { status, body } = await shop.ask('viewer', `GET /v1/entities/customer/${internalId}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        internal_id: internalId,
        entity_type: 'customer',
        revision: 2,
        data: { name: 'C-1 v2' },
        created_at: expect.any(String),
        updated_at: expect.any(String),
        records: [
          {
            source: 'crm',
            system: 'crm',
            external_id: 'C-1',
            order_value: '2',
            data: { name: 'C-1 v2' },
            last_event_id: expect.any(String),
          },
        ],
        references: [],
        mappings: [
          { system: 'crm', external_id: 'C-1', role: 'primary', state: 'linked', since: expect.any(String) },
          { system: 'erp', external_id: null, role: 'primary', state: 'due', since: expect.any(String) },
        ],
        deliveries: [
          expect.objectContaining({ target: 'erp', status: 'dead', wanted_revision: 2, reached_revision: 0 }),
        ],
      });
    });
  });

  test('200: an order shows whom it refers to; 404: who is known by a reference only', async () => {
    const body = {
      idempotency_key: 'order:O-1:v1',
      event_type: 'order.placed',
      entity: { type: 'order', external_id: 'O-1' },
      version: 1,
      payload: { customer_id: 77, lines: [{ stock_id: 'a' }, { stock_id: 'b' }] },
    };
    await shop.ask('crm', 'POST /v1/events', { body });
    const idOf = async (type: string, externalId: string): Promise<string> =>
      String((await shop.ask('viewer', `GET /v1/mappings/crm/${type}/${externalId}`)).body?.['internal_id']);
    const order = await eventually(async () => {
      const found = await idOf('order', 'O-1');
      expect(found).not.toBe('undefined');
      return found;
    });
    const customer = await idOf('customer', '77');
    const { body: entity } = await shop.ask('viewer', `GET /v1/entities/order/${order}`);
    expect(entity?.['references']).toEqual([
      { path: '/customer_id', entity_type: 'customer', internal_id: customer, source: 'crm' },
      { path: '/lines/0/stock_id', entity_type: 'stock', internal_id: await idOf('stock', 'a'), source: 'crm' },
      { path: '/lines/1/stock_id', entity_type: 'stock', internal_id: await idOf('stock', 'b'), source: 'crm' },
    ]);
    expectProblem(await shop.ask('viewer', `GET /v1/entities/customer/${customer}`), 'entity.not_found');
  });

  test('200: an entity that is deleted says so, and so does each record', async () => {
    const internalId = await knownCustomer(shop, 'C-3');
    const gone = {
      ...customerEnvelope('C-3', { version: 2 }),
      event_type: 'customer.deleted',
      idempotency_key: 'gone',
    };
    await shop.ask('crm', 'POST /v1/events', { body: gone });
    await eventually(async () => {
      const { body } = await shop.ask('viewer', `GET /v1/entities/customer/${internalId}`);
      expect(body).toMatchObject({ deleted: true, data: {}, records: [{ deleted: true, order_value: '2', data: {} }] });
    });
  });

  test('404 for another type, an unknown id, and what is no id', async () => {
    const internalId = await knownCustomer(shop, 'C-2');
    for (const path of [
      `order/${internalId}`,
      'customer/01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a',
      'customer/42',
      'robot/%00',
    ]) {
      expectProblem(await shop.ask('viewer', `GET /v1/entities/${path}`), 'entity.not_found');
    }
  });

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/entities/customer/42'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
