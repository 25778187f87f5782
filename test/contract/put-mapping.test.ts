import { describe, expect, test } from '@jest/globals';
import { holdLock } from '../support/hold-lock.js';
import { expectProblem } from './expect-problem.js';
import { knownCustomer } from './known-customer.js';
import { serveShop, testThatAnswersAreDescribed, type Answer, type Caller } from './shop-api.js';

describe('PUT /v1/mappings', () => {
  const shop = serveShop();

  const link = async (external_id: unknown, internal_id: string, caller: Caller = 'erp'): Promise<Answer> =>
    shop.ask(caller, 'PUT /v1/mappings', {
      body: { system: 'erp', entity_type: 'customer', external_id, internal_id },
    });
  const heldBy = async (externalId: string): Promise<unknown> =>
    (await shop.ask('viewer', `GET /v1/mappings/erp/customer/${externalId}`)).body?.['internal_id'];

  test('201 for a new link, 200 for the same again, by the system or by an operator', async () => {
    const internalId = await knownCustomer(shop, 'C-1');
    const first = await link('ERP-1', internalId);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({
      internal_id: internalId,
      entity_type: 'customer',
      mappings: [
        { system: 'crm', external_id: 'C-1', state: 'linked' },
        { system: 'erp', external_id: 'ERP-1', role: 'primary', state: 'linked' },
      ],
    });
    expect((await link('ERP-1', internalId)).status).toBe(200);
    expect((await link(' ERP-1 ', internalId.toUpperCase(), 'operator')).status).toBe(200);
  });

  test('a number is the same id as its digits', async () => {
    const internalId = await knownCustomer(shop, 'C-2');
    expect((await link(4711, internalId)).status).toBe(201);
    expect((await link('4711', internalId)).status).toBe(200);
    expect(await heldBy('4711')).toBe(internalId);
  });

  test('503 while somebody else holds the lock: nothing was promised, and sending it again is safe', async () => {
    const internalId = await knownCustomer(shop, 'C-locked');
    const lock = await holdLock(shop.databaseUrl, 'LOCK TABLE mappings IN ACCESS EXCLUSIVE MODE');
    try {
      expectProblem(await link('ERP-locked', internalId), 'storage.unavailable');
    } finally {
      await lock.release();
    }
    expect((await link('ERP-locked', internalId)).status).toBe(201);
  });

  test('409 for a rival link, either way; the first stays, and a person is asked', async () => {
    const holder = await knownCustomer(shop, 'C-3');
    const rival = await knownCustomer(shop, 'C-4');
    await link('ERP-3', holder);
    expectProblem(await link('ERP-3', rival), 'mapping.conflict');
    expectProblem(await link('ERP-3b', holder), 'mapping.conflict');
    expect(await heldBy('ERP-3')).toBe(holder);
    expect(await heldBy('ERP-3b')).toBeUndefined();

    const { body } = await shop.ask('operator', 'GET /v1/admin/conflicts?kind=link');
    const items = body?.['items'] as readonly Record<string, unknown>[];
    expect(items.map(({ external_id, internal_id }) => [external_id, internal_id]).sort()).toEqual(
      [
        ['ERP-3', rival],
        ['ERP-3b', holder],
      ].sort(),
    );
    // The rival is still free for an id of its own.
    expect((await link('ERP-4', rival)).status).toBe(201);
  });

  test('403 for another system’s id, and for a viewer', async () => {
    const internalId = await knownCustomer(shop, 'C-5');
    expectProblem(await link('ERP-5', internalId, 'wms'), 'access.denied');
    expectProblem(await link('ERP-5', internalId, 'viewer'), 'access.denied');
    expect(await heldBy('ERP-5')).toBeUndefined();
  });

  test('404 for an entity that is not there, or is of another type', async () => {
    const nobody = '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a';
    expectProblem(await link('ERP-6', nobody), 'entity.not_found', '/internal_id');
    const internalId = await knownCustomer(shop, 'C-6');
    const body = { system: 'erp', entity_type: 'order', external_id: 'ERP-6', internal_id: internalId };
    expectProblem(await shop.ask('erp', 'PUT /v1/mappings', { body }), 'entity.not_found', '/internal_id');
  });

  test('422 for what the contract does not know, and for unusable ids', async () => {
    const internalId = await knownCustomer(shop, 'C-7');
    const body = { system: 'erp', entity_type: 'customer', external_id: '7', internal_id: internalId };
    const put = async (parts: object): Promise<Answer> =>
      shop.ask('operator', 'PUT /v1/mappings', { body: { ...body, ...parts } });
    expectProblem(await put({ system: 'sap' }), 'system.unknown');
    expectProblem(await put({ entity_type: 'robot' }), 'entity_type.unknown');
    for (const id of [' ', 'a\u0000', 'x'.repeat(256)]) {
      expectProblem(await put({ external_id: id }), 'id.invalid', '/external_id');
    }
  });

  test('400 for a body that is none', async () => {
    expectProblem(await link('ERP-8', 'no uuid'), 'request.invalid');
    expectProblem(await link({}, '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a'), 'request.invalid');
    expectProblem(await shop.ask('erp', 'PUT /v1/mappings', { body: 'no JSON' }), 'body.not_json');
    expectProblem(
      await shop.ask('erp', 'PUT /v1/mappings', { body: '{}', headers: { 'content-type': 'text/plain' } }),
      'body.media_type',
    );
  });

  test('401 without a credential', async () => {
    expectProblem(await link('ERP-9', '01890a5d-b1c2-7d11-8a41-6f0f7d0c1e2a', 'nobody'), 'auth.failed');
  });

  testThatAnswersAreDescribed(shop);
});
