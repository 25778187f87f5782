import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { allPages } from './pages.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('GET /v1/admin/conflicts', () => {
  const shop = serveShop();

  const send = async (parts: Readonly<Record<string, unknown>>): Promise<Answer> =>
    shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-1', parts) });
  const list = async (query: string): Promise<Answer> => shop.ask('operator', `GET /v1/admin/conflicts${query}`);

  beforeAll(async () => {
    await send({});
    for (const name of ['b', 'c', 'd', 'e']) await send({ payload: { name } });
    await send({ idempotency_key: 'another key', payload: { name: 'f' } });
    await eventually(async () =>
      expect(await allPages(shop, 'operator', 'GET /v1/admin/conflicts?', 500)).toHaveLength(5),
    );
  });

  test.each([1, 2, 5, 50])('pages of %d hold each question once, newest first', async (limit) => {
    const items = await allPages(shop, 'operator', 'GET /v1/admin/conflicts?', limit);
    const ids = items.map(({ conflict_id }) => conflict_id);
    expect(new Set(ids).size).toBe(5);
    expect(ids).toEqual(ids.toSorted().toReversed());
  });

  test('200: what is asked, and between what', async () => {
    const kept = (await send({})).body?.['event_id'];
    const { conflict_event_id: setAside } = (await send({ payload: { name: 'b' } })).body ?? {};
    const keys = await allPages(shop, 'operator', 'GET /v1/admin/conflicts?kind=key', 50);
    expect(keys).toHaveLength(4);
    expect(keys).toContainEqual({
      conflict_id: expect.any(String),
      kind: 'key',
      status: 'open',
      system: 'crm',
      entity_type: 'customer',
      external_id: 'C-1',
      internal_id: null,
      event_id: setAside,
      candidates: [
        { event_id: kept, role: 'kept' },
        { event_id: setAside, role: 'set_aside', idempotency_key: 'customer:C-1:v1' },
      ],
      created_at: expect.any(String),
    });
    const versions = await allPages(shop, 'operator', 'GET /v1/admin/conflicts?kind=version', 50);
    expect(versions).toMatchObject([
      {
        kind: 'version',
        candidates: [
          { event_id: kept, role: 'kept' },
          { role: 'set_aside', order_value: '1' },
        ],
      },
    ]);
  });

  test('those that are decided are not among the open ones', async () => {
    expect((await list('?status=decided')).body).toEqual({ items: [] });
    expect((await list('?status=open&kind=find')).body).toEqual({ items: [] });
  });

  test('400 for a query that cannot be', async () => {
    for (const query of ['?status=closed', '?kind=colour', '?limit=0', '?cursor=nonsense', '?colour=red']) {
      expectProblem(await list(query), 'request.invalid');
    }
  });

  test('401 without a key, 403 for a viewer', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/admin/conflicts'), 'auth.failed');
    expectProblem(await shop.ask('viewer', 'GET /v1/admin/conflicts'), 'access.denied');
  });

  testThatAnswersAreDescribed(shop);
});
