import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import { callerOf, type Caller } from './call-system.js';

const CONTACTS = '/crm/v3/objects/contacts';

let server: RecordServer;
let control: RecordServerClient;
let call: Caller;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', dialect: 'hubspot', port: 0 });
  control = new RecordServerClient(server.url);
  call = callerOf(server.url, { authorization: 'Bearer pat-sample' });
});
afterAll(() => server.close());
beforeEach(() => control.reset());

async function created(properties: object): Promise<string> {
  const answer = await call('POST', CONTACTS, { body: { properties } });
  expect(answer.status).toBe(201);
  return (answer.json as { id: string }).id;
}

test('an object has an id of digits as text, and every property is text', async () => {
  const id = await created({ email: 'ada@example.com', employees: 12, phone: null });
  expect(id).toMatch(/^\d+$/);
  expect((await call('GET', `${CONTACTS}/${id}?properties=employees,phone`)).json).toMatchObject({
    id,
    properties: { employees: '12', phone: null, hs_object_id: id },
    archived: false,
  });
});

test('a second contact with the same e-mail: 409 with the id in the message', async () => {
  const id = await created({ email: 'ada@example.com' });
  const again = await call('POST', CONTACTS, { body: { properties: { email: 'ada@example.com' } } });
  expect(again).toMatchObject({ status: 409, json: { category: 'CONFLICT' } });
  expect(again.json).toMatchObject({ message: `Contact already exists. Existing ID: ${id}` });
  const bob = await created({ email: 'bob@example.com' });
  const taken = await call('PATCH', `${CONTACTS}/${bob}`, { body: { properties: { email: 'ada@example.com' } } });
  expect(taken.status).toBe(409);
});

test('search finds by the value of a property and says how many there are', async () => {
  for (const email of ['1', '2', '3']) await created({ email, crosswalk_id: 'r-1' });
  const search = async (value: string, limit = 2) =>
    (
      await call('POST', `${CONTACTS}/search`, {
        body: { filterGroups: [{ filters: [{ propertyName: 'crosswalk_id', operator: 'EQ', value }] }], limit },
      })
    ).json;
  expect(await search('r-1')).toMatchObject({ total: 3, results: { length: 2 } });
  expect(await search('nobody')).toEqual({ total: 0, results: [] });
});

test('a contact is read and changed by a property that names it; the rest stays', async () => {
  await created({ email: 'ada@example.com', firstname: 'Ada' });
  const path = `${CONTACTS}/ada%40example.com?idProperty=email`;
  expect((await call('PATCH', path, { body: { properties: { lastname: 'L' } } })).status).toBe(200);
  expect((await call('GET', path)).json).toMatchObject({ properties: { firstname: 'Ada', lastname: 'L' } });
});

test('archiving is done once and no error the second time', async () => {
  const id = await created({});
  expect((await call('DELETE', `${CONTACTS}/${id}`)).status).toBe(204);
  expect((await call('DELETE', `${CONTACTS}/${id}`)).status).toBe(204);
  expect(await call('GET', `${CONTACTS}/${id}`)).toMatchObject({ status: 404, json: { category: 'OBJECT_NOT_FOUND' } });
});

test('too many calls: 429 with the policy; without the token: 401', async () => {
  await control.changeSettings({ rate_limit: { max: 0, per_ms: 10_000 } });
  const throttled = await call('GET', `${CONTACTS}/1`);
  expect(throttled).toMatchObject({ status: 429, json: { errorType: 'RATE_LIMIT', policyName: 'SECONDLY' } });
  expect(throttled.headers.get('retry-after')).toBe('10');
  await control.changeSettings({ rate_limit: null });
  expect(await callerOf(server.url)('GET', `${CONTACTS}/1`)).toMatchObject({
    status: 401,
    json: { category: 'INVALID_AUTHENTICATION' },
  });
});
