import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from './expect-problem.js';
import { knownCustomer } from './known-customer.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('POST /v1/mappings/resolve', () => {
  const shop = serveShop();
  let internalId: string;

  const resolve = async (body: unknown): Promise<Answer> => shop.ask('viewer', 'POST /v1/mappings/resolve', { body });
  const customer = (external_id: unknown): object => ({ system: 'crm', entity_type: 'customer', external_id });
  const resultsOf = ({ body }: Answer): readonly unknown[] => body?.['results'] as readonly unknown[];

  beforeAll(async () => {
    internalId = await knownCustomer(shop, '9007199254740993');
    await shop.ask('erp', 'PUT /v1/mappings', {
      body: { system: 'wms', entity_type: 'customer', external_id: 'W-1', internal_id: internalId },
    });
    await shop.ask('wms', 'PUT /v1/mappings', {
      body: { system: 'wms', entity_type: 'customer', external_id: ' W-1 ', internal_id: internalId },
    });
  });

  test('200: one result per item, in their order', async () => {
    const answer = await resolve({ items: [customer('unknown'), customer(' 9007199254740993'), customer('unknown')] });
    expect(answer.status).toBe(200);
    expect(resultsOf(answer)).toEqual([{ found: false }, { found: true, internal_id: internalId }, { found: false }]);
  });

  test('200: straight to another system’s id, null where it has none yet', async () => {
    const items = [customer('9007199254740993')];
    expect(resultsOf(await resolve({ items, to: 'wms' }))).toEqual([
      { found: true, internal_id: internalId, external_id: ' W-1 ' },
    ]);
    expect(resultsOf(await resolve({ items, to: 'erp' }))).toEqual([
      { found: true, internal_id: internalId, external_id: null },
    ]);
  });

  test('200: a number is the same id as its digits, and loses none', async () => {
    const answer = await resolve(
      '{"items":[{"system":"crm","entity_type":"customer","external_id":9007199254740993}]}',
    );
    expect(resultsOf(answer)).toEqual([{ found: true, internal_id: internalId }]);
    const other = await resolve('{"items":[{"system":"crm","entity_type":"customer","external_id":9007199254740992}]}');
    expect(resultsOf(other)).toEqual([{ found: false }]);
  });

  test('200 for 1000 items, 400 for 1001 and for none', async () => {
    const items = Array.from({ length: 1001 }, (_, at) => customer(at === 999 ? '9007199254740993' : `no-${at}`));
    const answer = await resolve({ items: items.slice(0, 1000) });
    expect(resultsOf(answer)).toHaveLength(1000);
    expect(resultsOf(answer)[999]).toEqual({ found: true, internal_id: internalId });
    expectProblem(await resolve({ items }), 'request.invalid');
    expectProblem(await resolve({ items: [] }), 'request.invalid');
  });

  test.each([
    ['no object', []],
    ['no items', {}],
    ['an item that is none', { items: ['9007199254740993'] }],
    ['an item without system', { items: [{ entity_type: 'customer', external_id: '1' }] }],
    ['an id that is a list', { items: [customer([])] }],
    ['a part that nobody knows', { items: [customer('1')], colour: 'red' }],
    ['a target that is no text', { items: [customer('1')], to: ['erp'] }],
  ])('400 for %s', async (_name, body) => {
    expectProblem(await resolve(body), 'request.invalid');
  });

  test('400 for what is no JSON', async () => {
    expectProblem(await resolve('{"items": '), 'body.not_json');
  });

  test('422 for what the contract does not know, and for unusable ids', async () => {
    expectProblem(await resolve({ items: [customer('1')], to: 'sap' }), 'system.unknown');
    expectProblem(await resolve({ items: [{ ...customer('1'), system: 'sap' }] }), 'system.unknown');
    expectProblem(await resolve({ items: [{ ...customer('1'), entity_type: 'robot' }] }), 'entity_type.unknown');
    for (const id of ['', ' ', 'x'.repeat(256)]) {
      expectProblem(await resolve({ items: [customer(id)] }), 'id.invalid', '/external_id');
    }
  });

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'POST /v1/mappings/resolve', { body: {} }), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
