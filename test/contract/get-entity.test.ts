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
