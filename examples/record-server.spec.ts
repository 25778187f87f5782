import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from './record-server-client.js';
import { startRecordServer, type RecordServer } from './record-server.js';

let erp: RecordServer;
let control: RecordServerClient;

beforeAll(async () => {
  erp = await startRecordServer({ system: 'erp', port: 0 });
  control = new RecordServerClient(erp.url);
});
afterAll(() => erp.close());
beforeEach(() => control.reset());

async function call(method: string, path: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`${erp.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.text();
  return { status: answer.status, text, json: JSON.parse(text) as Record<string, unknown> };
}

describe('records', () => {
  test('a create answers 201 with an id of the system and everything else as written', async () => {
    const created = await call('POST', '/customers', '{ "ref": "r-1", "limit": 9007199254740993 }');
    expect(created.status).toBe(201);
    expect(created.json['id']).toMatch(/^ERP-C\d+$/);
    expect(created.text).toContain('"limit": 9007199254740993');
  });

  test('the raw body keeps digits that JSON.parse would drop', async () => {
    const body = '{"ref":"p-1","amount":1299.00}';
    const { json } = await call('POST', '/payments', body);
    expect(await control.rawBody('payments', String(json['id']))).toBe(body);
  });

  test('an empty body object is a record with an id alone', async () => {
    const { json } = await call('POST', '/stock', '{}');
    expect(Object.keys(json)).toEqual(['id']);
  });

  test('a list by reference holds the records of this reference only', async () => {
    const mine = await call('POST', '/orders', '{"ref":"a b"}');
    await call('POST', '/orders', '{"ref":"other"}');
    const found = await call('GET', '/orders?ref=a%20b');
    expect(found.json).toEqual([mine.json]);
    expect((await call('GET', '/orders?ref=nobody')).json).toEqual([]);
  });

  test('a replacement is seen by the next read', async () => {
    const { json } = await call('POST', '/customers', '{"ref":"r-1","name":"Ada","phone":"1"}');
    const replaced = await call('PUT', `/customers/${String(json['id'])}`, '{"ref":"r-1","name":"Ada L."}');
    expect(replaced.status).toBe(200);
    expect((await call('GET', `/customers/${String(json['id'])}`)).json).toEqual({
      id: json['id'],
      ref: 'r-1',
      name: 'Ada L.',
    });
  });

  test('reading or replacing what does not exist answers 404 and creates nothing', async () => {
    expect((await call('GET', '/customers/ERP-C0')).status).toBe(404);
    expect((await call('PUT', '/customers/ERP-C0', '{}')).status).toBe(404);
    expect(await control.records('customers')).toEqual([]);
  });

  test.each([
    ['no JSON', '{"ref":', 'the body is not JSON'],
    ['no object', '[]', 'the body must be a JSON object'],
    ['an id', '{"id":"X"}', 'ids are given by this system: the body must not hold an id'],
  ])('a body with %s is refused', async (_, body, error) => {
    expect(await call('POST', '/customers', body)).toMatchObject({ status: 400, json: { error } });
  });

  test('the WMS gives ids of its own', async () => {
    const wms = await startRecordServer({ system: 'wms', port: 0, firstNumber: 7 });
    const answer = await fetch(`${wms.url}/customers`, { method: 'POST', body: '{}' });
    expect(await answer.json()).toEqual({ id: 'WMS-CUST-7' });
    await wms.close();
  });

  test('an id is not given again after a reset', async () => {
    const before = await call('POST', '/customers', '{}');
    await control.reset();
    const after = await call('POST', '/customers', '{}');
    expect(after.json['id']).not.toBe(before.json['id']);
  });
});

describe('idempotency keys', () => {
  test('copies of one create, sent at once, are one record', async () => {
    const copies = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/customers', '{"ref":"r-1"}', { 'idempotency-key': 'k' })),
    );
    expect(copies.map((copy) => copy.status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(copies.map((copy) => copy.json['id'])).size).toBe(1);
    expect(await control.records('customers')).toHaveLength(1);
  });

  test('without a key, or under one key in two collections, creates are records of their own', async () => {
    await call('POST', '/customers', '{"ref":"r-1"}');
    await call('POST', '/customers', '{"ref":"r-1"}');
    await call('POST', '/orders', '{}', { 'idempotency-key': 'k' });
    await call('POST', '/payments', '{}', { 'idempotency-key': 'k' });
    expect(await control.records('customers')).toHaveLength(2);
    expect(await control.records('orders')).toHaveLength(1);
    expect(await control.records('payments')).toHaveLength(1);
  });
});

describe('the control plane', () => {
  test('lists every call with its headers, its answer and what it changed', async () => {
    const headers = { 'idempotency-key': 'k', 'x-correlation-id': 'c', traceparent: 't' };
    const { json } = await call('POST', '/customers', '{}', headers);
    await call('GET', '/customers?ref=x');
    const calls = await control.calls();
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({ method: 'POST', path: '/customers', status: 201, applied: true, headers });
    expect(calls[0]?.record_id).toBe(json['id']);
    expect(calls[1]).toMatchObject({ method: 'GET', path: '/customers?ref=x', status: 200, applied: false });
  });

  test('lists the body of a call and the scheme of its credentials, and not the credentials', async () => {
    await call('POST', '/customers', '{"ref":"r-1"}', { authorization: 'Bearer secret', 'if-match': '"1"' });
    const [logged] = await control.calls();
    expect(logged).toMatchObject({ body: '{"ref":"r-1"}', headers: { authorization: 'Bearer', 'if-match': '"1"' } });
    expect(JSON.stringify(logged)).not.toContain('secret');
  });

  test('numbers every write of the system, on the record, on the call and in the list of changes', async () => {
    const { json } = await call('POST', '/customers', '{"n":1}');
    await call('POST', '/orders', '{}');
    await call('PUT', `/customers/${String(json['id'])}`, '{"n":2}');
    const [customer] = await control.records('customers');
    const [first, second, third] = (await control.calls()).map(({ revision }) => revision ?? 0);
    expect([first, second, third]).toEqual([...[first, second, third]].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(customer).toMatchObject({ revision: third, writes: 2, updated_at: expect.stringMatching(/Z$/) });
    expect((await control.changes()).map(({ revision }) => revision)).toEqual([first, second, third]);
  });

  test('refuses settings with a mistake and changes none of them', async () => {
    const settings = '{"rate_limit":{"max":0,"per_ms":1000},"retries":1}';
    const answer = await call('POST', '/_control/settings', settings);
    expect(answer).toMatchObject({ status: 400, json: { problems: [expect.stringContaining('retries')] } });
    expect((await call('GET', '/customers')).status).toBe(200);
  });

  test('forgets calls without forgetting records', async () => {
    await call('POST', '/customers', '{}');
    await control.clearCalls();
    expect(await control.calls()).toEqual([]);
    expect(await control.records('customers')).toHaveLength(1);
  });

  test('says which system it is, and undefined where nothing listens', async () => {
    expect(await control.system()).toBe('erp');
    const gone = await startRecordServer({ system: 'wms', port: 0 });
    await gone.close();
    expect(await new RecordServerClient(gone.url).system()).toBeUndefined();
  });

  test('answers 404 to a route that it does not know', async () => {
    expect((await call('GET', '/_control/nothing')).status).toBe(404);
    expect((await call('GET', '/_raw/customers/ERP-C0')).status).toBe(404);
  });
});

test('a port that is taken is an error', async () => {
  const port = Number(new URL(erp.url).port);
  await expect(startRecordServer({ system: 'wms', port })).rejects.toThrow('EADDRINUSE');
});
