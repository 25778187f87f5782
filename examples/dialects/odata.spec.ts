import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import { callerOf, type Caller } from './call-system.js';

const ROOT = '/sap/opu/odata/sap/API_BUSINESS_PARTNER';
const BASIC = { authorization: `Basic ${Buffer.from('HUB:sap-password').toString('base64')}` };

let server: RecordServer;
let control: RecordServerClient;
let call: Caller;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', dialect: 'odata', port: 0 });
  control = new RecordServerClient(server.url);
  call = callerOf(server.url, BASIC);
});
afterAll(() => server.close());
beforeEach(() => control.reset());

/** The headers of a session: what a caller has to keep after it has fetched a token. */
async function session(): Promise<Record<string, string>> {
  const { headers } = await call('GET', `${ROOT}/`, { headers: { 'x-csrf-token': 'Fetch' } });
  const cookie = headers.getSetCookie().map((line) => line.split(';')[0]);
  return { 'x-csrf-token': headers.get('x-csrf-token') ?? '', cookie: cookie.join('; ') };
}

async function created(set: string, body: unknown, headers: Record<string, string>) {
  const answer = await call('POST', `${ROOT}/${set}`, { body, headers });
  expect(answer.status).toBe(201);
  return { ...answer, d: (answer.json as { d: Record<string, unknown> }).d };
}

describe('the session', () => {
  test('a read with Fetch gives a token and two cookies; a write needs token and cookie of one session', async () => {
    const mine = await session();
    expect(mine['cookie']?.split('; ')).toHaveLength(2);
    await created('A_BusinessPartner', {}, mine);
    expect(await control.logins()).toBe(1);
  });

  test.each([
    ['no token', (mine: Record<string, string>) => ({ cookie: mine['cookie'] ?? '' })],
    ['no cookie', (mine: Record<string, string>) => ({ 'x-csrf-token': mine['x-csrf-token'] ?? '' })],
    ['the token of another session', (mine: Record<string, string>) => ({ ...mine, 'x-csrf-token': 'abc' })],
  ])('%s: 403 with the header Required, and nothing is done', async (_, spoil) => {
    const refused = await call('POST', `${ROOT}/A_BusinessPartner`, { body: {}, headers: spoil(await session()) });
    expect([refused.status, refused.headers.get('x-csrf-token')]).toEqual([403, 'Required']);
    expect(await control.records('customers')).toEqual([]);
  });

  test('a token is fetched with HEAD as well, and inside a session it stays the same', async () => {
    const mine = await session();
    const headers = { cookie: mine['cookie'] ?? '', 'x-csrf-token': 'fetch' };
    const again = await callerOf(server.url)('HEAD', `${ROOT}/A_BusinessPartner`, { headers });
    expect([again.status, again.headers.get('x-csrf-token')]).toEqual([200, mine['x-csrf-token']]);
  });

  test('a session that was ended is over for writes, and a new one can be fetched', async () => {
    const former = await session();
    expect(await control.revoke()).toBe(1);
    const refused = await call('POST', `${ROOT}/A_BusinessPartner`, { body: {}, headers: former });
    expect(refused.headers.get('x-csrf-token')).toBe('Required');
    await created('A_BusinessPartner', {}, await session());
  });

  test('without credentials and without session: 401', async () => {
    expect((await callerOf(server.url)('GET', `${ROOT}/`)).status).toBe(401);
  });
});

describe('entities', () => {
  test('a create answers the entity with its number and its ETag', async () => {
    const { d, headers } = await created('A_BusinessPartner', { OrganizationBPName1: 'Ada' }, await session());
    expect(d).toMatchObject({ BusinessPartner: expect.stringMatching(/^\d+$/), OrganizationBPName1: 'Ada' });
    expect(headers.get('etag')).toMatch(/^W\/".+"$/);
    expect(d['__metadata']).toMatchObject({ etag: headers.get('etag') });
  });

  test('a filter finds text with apostrophes that are written twice, and is refused with one', async () => {
    const headers = await session();
    await created('A_BusinessPartner', { SearchTerm1: "O'Neil and son" }, headers);
    await created('A_BusinessPartner', { SearchTerm1: 'other' }, headers);
    const find = (filter: string) =>
      call('GET', `${ROOT}/A_BusinessPartner?$filter=${encodeURIComponent(filter)}&$top=2&$format=json`);
    expect((await find("SearchTerm1 eq 'O''Neil and son'")).json).toMatchObject({ d: { results: { length: 1 } } });
    expect((await find("SearchTerm1 eq 'other' and BusinessPartner eq ''")).json).toMatchObject({ d: { results: [] } });
    expect((await find("SearchTerm1 eq 'other' and SearchTerm1 eq 'other'")).json).toMatchObject({
      d: { results: { length: 1 } },
    });
    expect((await find("SearchTerm1 eq 'nobody'")).json).toMatchObject({ d: { results: { length: 0 } } });
    expect((await find("SearchTerm1 eq 'O'Neil and son'")).status).toBe(400);
    expect((await find("SearchTerm1 eq 'x' or SearchTerm1 eq 'other'")).status).toBe(400);
  });

  test('a key with a single apostrophe is malformed, one that is not there is 404', async () => {
    expect((await call('GET', `${ROOT}/A_BusinessPartner('a'b')`)).status).toBe(400);
    expect((await call('GET', `${ROOT}/A_BusinessPartner('a''b')`)).status).toBe(404);
  });

  test('a reference longer than its field is refused', async () => {
    const body = { SearchTerm1: 'x'.repeat(21) };
    expect((await call('POST', `${ROOT}/A_BusinessPartner`, { body, headers: await session() })).status).toBe(400);
  });

  test('whoever does not ask for JSON gets Atom', async () => {
    const { text } = await call('GET', `${ROOT}/A_BusinessPartner`, { headers: { accept: '*/*' } });
    expect(text).toContain('<?xml');
    const headers = { ...(await session()), accept: '*/*' };
    const answer = await call('POST', `${ROOT}/A_BusinessPartner`, { body: {}, headers });
    expect([answer.status, answer.json]).toEqual([201, undefined]);
    expect(await control.records('customers')).toHaveLength(1);
  });
});

describe('ETags', () => {
  test('an update without If-Match is 428, with a stale one 412, with the current one done', async () => {
    const headers = await session();
    const { d } = await created('A_BusinessPartner', { OrganizationBPName1: 'Ada', SearchTerm2: 's' }, headers);
    const path = `${ROOT}/A_BusinessPartner('${String(d['BusinessPartner'])}')`;
    const body = { OrganizationBPName1: 'Ada L.' };
    const patch = (etag?: string) =>
      call('PATCH', path, { body, headers: { ...headers, ...(etag === undefined ? {} : { 'if-match': etag }) } });
    const etag = (await call('GET', path)).headers.get('etag') ?? '';

    expect((await patch()).status).toBe(428);
    expect((await patch(etag)).status).toBe(204);
    expect((await patch(etag)).status).toBe(412);
    expect((await call('GET', path)).json).toMatchObject({ d: { OrganizationBPName1: 'Ada L.', SearchTerm2: 's' } });
    expect((await control.records('customers'))[0]?.writes).toBe(2);
  });

  test('a delete needs it too', async () => {
    const headers = await session();
    const { d } = await created('A_BusinessPartner', {}, headers);
    const path = `${ROOT}/A_BusinessPartner('${String(d['BusinessPartner'])}')`;
    expect((await call('DELETE', path, { headers })).status).toBe(428);
    expect((await call('DELETE', path, { headers: { ...headers, 'if-match': '*' } })).status).toBe(204);
    expect((await call('GET', path)).status).toBe(404);
  });
});

describe('child rows', () => {
  test('items are created with the order and numbered; an update that repeats their numbers adds none', async () => {
    const headers = await session();
    const items = [{ Material: 'A' }, { Material: 'B' }];
    const { d } = await created('A_SalesOrder', { SalesOrderType: 'OR', to_Item: { results: items } }, headers);
    const path = `${ROOT}/A_SalesOrder('${String(d['SalesOrder'])}')`;
    const patch = (to_Item: unknown) =>
      call('PATCH', path, { body: { to_Item }, headers: { ...headers, 'if-match': '*' } });
    const read = async () =>
      ((await call('GET', `${path}?$expand=to_Item`)).json as { d: { to_Item: { results: unknown[] } } }).d.to_Item
        .results;

    expect(await read()).toEqual([
      { SalesOrderItem: '10', Material: 'A' },
      { SalesOrderItem: '20', Material: 'B' },
    ]);
    await patch([{ SalesOrderItem: '10', Material: 'C' }]);
    expect(await read()).toEqual([
      { SalesOrderItem: '10', Material: 'C' },
      { SalesOrderItem: '20', Material: 'B' },
    ]);
    await patch(items);
    expect(await read()).toHaveLength(4);
    expect((await patch([{ SalesOrderItem: '99' }])).status).toBe(404);
  });
});
