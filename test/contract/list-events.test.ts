import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

const CUSTOMERS = 12;

describe('GET /v1/events', () => {
  const shop = serveShop();
  /** Newest first, as the list has them. */
  let all: readonly Record<string, unknown>[];

  const list = async (query: string): Promise<Answer> => shop.ask('viewer', `GET /v1/events${query}`);
  const itemsOf = ({ body }: Answer): readonly Record<string, unknown>[] =>
    body?.['items'] as readonly Record<string, unknown>[];
  const idsOf = (items: readonly Record<string, unknown>[]): unknown[] => items.map(({ event_id }) => event_id);

  beforeAll(async () => {
    for (let at = 0; at < CUSTOMERS; at++) {
      await shop.ask('crm', 'POST /v1/events', {
        body: customerEnvelope(`C-${at}`, { correlation_id: at % 2 === 0 ? 'even' : 'odd' }),
      });
    }
    await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-0', { version: 2 }) });
    await shop.ask('erp', 'POST /v1/events', {
      body: {
        ...customerEnvelope('E-1'),
        event_type: 'payment.completed',
        entity: { type: 'payment', external_id: 'P-1' },
      },
    });
    await shop.ask('crm', 'POST /v1/webhooks/crm', { body: { event_type: 'unheard.of' } });
    await eventually(async () => {
      all = itemsOf(await list('?limit=500'));
      expect(all.map(({ status }) => status).filter((status) => status !== 'COMPLETED')).toEqual(['DEAD']);
    });
  });

  test('lists everything, newest first', () => {
    expect(all).toHaveLength(CUSTOMERS + 3);
    expect(idsOf(all)).toEqual(idsOf(all).toSorted().toReversed());
    expect(all.at(-1)).toEqual({
      event_id: expect.any(String),
      source: 'crm',
      event_type: 'customer.updated',
      idempotency_key: 'customer:C-0:v1',
      entity: { system: 'crm', type: 'customer', external_id: 'C-0' },
      version: '1',
      correlation_id: 'even',
      contract: { read: 1, decided: 1 },
      received_at: expect.any(String),
      status: 'COMPLETED',
      outcome: 'applied',
      internal_id: expect.any(String),
      revision: 1,
    });
  });

  test.each([1, 4, 5, 14, 15])('pages of %d hold every event once, in one order', async (limit) => {
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const page = await list(`?limit=${limit}${typeof cursor === 'string' ? `&cursor=${cursor}` : ''}`);
      expect(itemsOf(page).length).toBeLessThanOrEqual(limit);
      seen.push(...idsOf(itemsOf(page)));
      cursor = page.body?.['next_cursor'];
    } while (cursor !== undefined);
    expect(seen).toEqual(idsOf(all));
  });

  test('a page keeps its place while new events arrive', async () => {
    const first = await list('?limit=5');
    await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('C-late') });
    const second = await list(`?limit=5&cursor=${String(first.body?.['next_cursor'])}`);
    expect(idsOf([...itemsOf(first), ...itemsOf(second)])).toEqual(idsOf(all).slice(0, 10));
  });

  const matches = (query: string, holds: (event: Record<string, unknown>) => boolean) => [query, holds] as const;
  test.each([
    matches('?idempotency_key=customer:C-3:v1', (event) => event['idempotency_key'] === 'customer:C-3:v1'),
    matches('?correlation_id=odd', (event) => event['correlation_id'] === 'odd'),
    matches('?source=erp', (event) => event['source'] === 'erp'),
    matches('?event_type=payment.completed', (event) => event['event_type'] === 'payment.completed'),
    matches('?status=DEAD', (event) => event['status'] === 'DEAD'),
    matches('?status=PARKED', () => false),
    matches('?entity=crm:customer:C-0', (event) => String(event['idempotency_key']).startsWith('customer:C-0:')),
    matches('?entity=crm:customer:%20C-0', (event) => String(event['idempotency_key']).startsWith('customer:C-0:')),
    matches('?entity=erp:payment:P-1', (event) => event['source'] === 'erp'),
    matches('?entity=crm:customer:nobody', () => false),
    matches('?idempotency_key=nothing', () => false),
    matches('?from=2020-01-01T00:00:00Z', () => true),
    matches('?to=2020-01-01T00:00:00Z', () => false),
  ])('%s', async (query, holds) => {
    const known = new Set(idsOf(all));
    const found = idsOf(itemsOf(await list(query))).filter((eventId) => known.has(eventId));
    expect(found).toEqual(idsOf(all.filter(holds)));
  });

  test('filters are joined by "and"', async () => {
    const found = itemsOf(await list('?entity=crm:customer:C-1&correlation_id=odd'));
    expect(found).toHaveLength(1);
    expect(itemsOf(await list('?entity=crm:customer:C-1&correlation_id=even'))).toEqual([]);
    expect(itemsOf(await list('?idempotency_key=customer:C-1:v1&entity=crm:customer:C-2'))).toEqual([]);
  });

  test.each([
    '?limit=0',
    '?limit=501',
    '?limit=many',
    '?cursor=nonsense',
    '?status=done',
    '?from=yesterday',
    '?to=2025-13-01T00:00:00Z',
    '?entity=crm',
    '?entity=sap:customer:1',
    '?colour=red',
    '?source=crm&source=erp',
  ])('400 for %s', async (query) => {
    expectProblem(await list(query), 'request.invalid');
  });

  test.each(['idempotency_key', 'correlation_id', 'event_type', 'source', 'entity', 'status'])(
    'NUL in %s, which no stored text can hold, is no fault of ours',
    async (name) => {
      expect((await list(`?${name}=%00`)).status).toBeLessThan(500);
    },
  );

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/events'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
