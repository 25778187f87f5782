import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { expectProblem } from './expect-problem.js';
import { knownCustomer } from './known-customer.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('GET /v1/mappings/{system}/{entity_type}/{external_id}', () => {
  const shop = serveShop();
  let internalId: string;

  beforeAll(async () => {
    internalId = await knownCustomer(shop, ' a/b:c%d ü ');
  });

  const look = async (...parts: string[]): Promise<Answer> =>
    shop.ask('viewer', `GET /v1/mappings/${parts.map(encodeURIComponent).join('/')}`);

  test('200: the internal id and every sibling, each as its system spells it', async () => {
    await eventually(async () => {
      const answer = await look('crm', 'customer', 'a/b:c%d ü');
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        internal_id: internalId,
        entity_type: 'customer',
        mappings: [
          { system: 'crm', external_id: ' a/b:c%d ü ', role: 'primary', state: 'linked', since: expect.any(String) },
          { system: 'erp', external_id: null, role: 'primary', state: 'due', since: expect.any(String) },
        ],
      });
    });
  });

  test('200: outer blanks and the form of accents make no other id', async () => {
    expect((await look('crm', 'customer', '\ta/b:c%d u\u0308\u00a0')).body).toMatchObject({ internal_id: internalId });
  });

  test('200: an id of 255 characters, percent-encoded', async () => {
    const longest = '\u{1F600}'.repeat(255);
    const longestId = await knownCustomer(shop, longest);
    expect((await look('crm', 'customer', longest)).body).toMatchObject({ internal_id: longestId });
  });

  test('404 for an id that is not known, in this spelling, type or system', async () => {
    expectProblem(await look('crm', 'customer', 'A/B:C%D Ü'), 'mapping.not_found');
    expectProblem(await look('crm', 'order', 'a/b:c%d ü'), 'mapping.not_found');
    expectProblem(await look('erp', 'customer', 'a/b:c%d ü'), 'mapping.not_found');
  });

  test('422 for what the contract does not know, and for unusable ids', async () => {
    expectProblem(await look('sap', 'customer', '1'), 'system.unknown');
    expectProblem(await look('crm', 'robot', '1'), 'entity_type.unknown');
    for (const id of [' ', '\u0000', 'x'.repeat(256)]) {
      expectProblem(await look('crm', 'customer', id), 'id.invalid', '/external_id');
    }
  });

  test('400 for a query, which would be taken for a filter', async () => {
    expectProblem(await shop.ask('viewer', 'GET /v1/mappings/crm/customer/1?at=2025'), 'request.invalid');
  });

  test('401 without a key', async () => {
    expectProblem(await shop.ask('nobody', 'GET /v1/mappings/crm/customer/1'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
