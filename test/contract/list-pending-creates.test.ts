import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { expectProblem } from './expect-problem.js';
import { knownCustomer } from './known-customer.js';
import { allPages } from './pages.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('GET /v1/pending-creates', () => {
  const shop = serveShop();
  let internalIds: readonly string[];

  beforeAll(async () => {
    const externalIds = Array.from({ length: 7 }, (_, at) => `C-${at}`);
    internalIds = await Promise.all(externalIds.map(async (externalId) => knownCustomer(shop, externalId)));
    await eventually(async () =>
      expect(await allPages(shop, 'viewer', 'GET /v1/pending-creates?', 500)).toHaveLength(7),
    );
  });

  const list = async (query: string): Promise<Answer> => shop.ask('viewer', `GET /v1/pending-creates${query}`);

  test.each([1, 3, 7, 50])(
    'pages of %d hold each record that a target does not have yet once, oldest first',
    async (limit) => {
      const items = await allPages(shop, 'viewer', 'GET /v1/pending-creates?system=erp', limit);
      expect(items.map(({ internal_id }) => internal_id).sort()).toEqual([...internalIds].sort());
      const ids = items.map(({ pending_create_id }) => pending_create_id);
      expect(ids).toEqual(ids.toSorted());
      expect(items[0]).toEqual({
        pending_create_id: expect.any(String),
        system: 'erp',
        entity_type: 'customer',
        internal_id: expect.any(String),
        // Its call may be out at this very moment.
        state: expect.stringMatching(/^(due|creating)$/),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });
    },
  );

  test('a system that lacks nothing has none, and neither has a record whose id was written back', async () => {
    expect((await list('?system=wms')).body).toEqual({ items: [] });
    await shop.ask('erp', 'PUT /v1/mappings', {
      body: { system: 'erp', entity_type: 'customer', external_id: 'ERP-1', internal_id: internalIds[0] },
    });
    expect(await allPages(shop, 'viewer', 'GET /v1/pending-creates?system=erp', 50)).toHaveLength(6);
  });

  test('422 for an unknown system, 400 for a query that cannot be', async () => {
    expectProblem(await list('?system=sap'), 'system.unknown');
    for (const query of ['?limit=0', '?limit=501', '?cursor=nonsense', '?state=due', '?system=erp&system=wms']) {
      expectProblem(await list(query), 'request.invalid');
    }
  });

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/pending-creates'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
