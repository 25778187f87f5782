import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import { callerOf, type Caller, type Called } from './call-system.js';

const DATA = '/services/data/v61.0/sobjects/Account';

let nowMs: number;
let server: RecordServer;
let control: RecordServerClient;
let call: Caller;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', dialect: 'salesforce', port: 0, now: () => nowMs });
  control = new RecordServerClient(server.url);
});
afterAll(() => server.close());
beforeEach(async () => {
  nowMs = Date.UTC(2025, 0, 1);
  await control.reset();
  call = callerOf(server.url, { authorization: `Bearer ${await token()}` });
});

function askForToken(secret: string): Promise<Called> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'hub', client_secret: secret });
  return callerOf(server.url)('POST', '/services/oauth2/token', { body: body.toString() });
}

async function token(): Promise<string> {
  return ((await askForToken('salesforce-secret')).json as { access_token: string }).access_token;
}

describe('tokens', () => {
  test('a wrong secret gets none', async () => {
    expect(await askForToken('wrong')).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
    expect(await control.logins()).toBe(1);
  });

  test.each([
    ['expired', async () => (nowMs += 3_600_001)],
    ['revoked', () => control.revoke()],
  ])('a token that is %s: 401 INVALID_SESSION_ID; the next one serves', async (_, spoil) => {
    const auth = { scheme: 'oauth2-client-credentials', token_path: '/services/oauth2/token' } as const;
    await control.changeSettings({
      auth: { ...auth, client_id: 'hub', client_secret: 'salesforce-secret', lives_ms: 3_600_000, claims_s: 7200 },
    });
    const held = callerOf(server.url, { authorization: `Bearer ${await token()}` });
    expect((await held('POST', DATA, { body: { Name: 'Ada' } })).status).toBe(201);
    await spoil();
    const refused = await held('POST', DATA, { body: { Name: 'Ada' } });
    expect([refused.status, refused.json]).toEqual([
      401,
      [{ message: 'Session expired or invalid', errorCode: 'INVALID_SESSION_ID' }],
    ]);
    const next = callerOf(server.url, { authorization: `Bearer ${await token()}` });
    expect((await next('POST', DATA, { body: { Name: 'Ada' } })).status).toBe(201);
  });
});

describe('upsert by external id', () => {
  test('creates with 201, changes with 200, each with the id', async () => {
    const path = `${DATA}/Crosswalk__c/r%2F1`;
    const first = await call('PATCH', path, { body: { Name: 'Ada' } });
    const second = await call('PATCH', path, { body: { Name: 'Ada L.' } });
    const { id } = first.json as { id: string };
    expect(id).toMatch(/^001\w{15}$/);
    expect([first.status, first.json]).toEqual([201, { id, success: true, errors: [], created: true }]);
    expect([second.status, second.json]).toEqual([200, { id, success: true, errors: [], created: false }]);
    expect((await call('GET', path)).json).toMatchObject({ Id: id, Name: 'Ada L.', Crosswalk__c: 'r/1' });
    expect(await control.records('customers')).toHaveLength(1);
  });

  test('before version 46 a change answers 204, without an id', async () => {
    const path = '/services/data/v45.0/sobjects/Account/Crosswalk__c/r-1';
    expect((await call('PATCH', path, { body: { Name: 'Ada' } })).status).toBe(201);
    expect(await call('PATCH', path, { body: { Name: 'Ada' } })).toMatchObject({ status: 204, text: '' });
  });

  test('several matches: 300 with where they are, and nothing is changed', async () => {
    const body = { Name: 'Ada', Crosswalk__c: 'r-1' };
    await call('POST', DATA, { body });
    await call('POST', DATA, { body });
    for (const method of ['GET', 'PATCH']) {
      const sent = method === 'GET' ? {} : { body: { Name: 'X' } };
      const answer = await call(method, `${DATA}/Crosswalk__c/r-1`, sent);
      expect([answer.status, answer.json]).toEqual([
        300,
        [expect.stringContaining(DATA), expect.stringContaining(DATA)],
      ]);
    }
    expect((await control.records('customers')).map(({ writes }) => writes)).toEqual([1, 1]);
  });

  test('the external id in the body, or another field, is refused', async () => {
    const body = { Name: 'Ada', Crosswalk__c: 'r-1' };
    const twice = await call('PATCH', `${DATA}/Crosswalk__c/r-1`, { body });
    const other = await call('PATCH', `${DATA}/Nothing__c/r-1`, { body: { Name: 'Ada' } });
    for (const answer of [twice, other])
      expect(answer).toMatchObject({ status: 400, json: [{ errorCode: 'INVALID_FIELD' }] });
  });
});

describe('records by id', () => {
  test('are changed and deleted with 204, and gone afterwards', async () => {
    const { id } = (await call('POST', DATA, { body: { Name: 'Ada' } })).json as { id: string };
    expect((await call('PATCH', `${DATA}/${id}`, { body: { Phone: '1' } })).status).toBe(204);
    expect((await call('GET', `${DATA}/${id}`)).json).toMatchObject({ Id: id, Name: 'Ada', Phone: '1' });
    expect((await call('DELETE', `${DATA}/${id}`)).status).toBe(204);
    expect(await call('PATCH', `${DATA}/${id}`, { body: {} })).toMatchObject({
      status: 404,
      json: [{ errorCode: 'NOT_FOUND' }],
    });
  });

  test.each([
    ['no name', {}, 'REQUIRED_FIELD_MISSING'],
    ['a reference that another one has', { Name: 'Ada', Crosswalk__c: 'r-1' }, 'DUPLICATES_DETECTED'],
  ])('a create with %s is refused with a list of errors', async (_, body, errorCode) => {
    await control.changeSettings({ unique_refs: true });
    await call('POST', DATA, { body: { Name: 'Ada', Crosswalk__c: 'r-1' } });
    expect(await call('POST', DATA, { body })).toMatchObject({ status: 400, json: [{ errorCode }] });
  });

  test('too many calls: 403 REQUEST_LIMIT_EXCEEDED', async () => {
    await control.changeSettings({ rate_limit: { max: 0, per_ms: 1000, retry_after: 'none' } });
    const answer = await call('GET', `${DATA}/Crosswalk__c/r-1`);
    expect(answer).toMatchObject({ status: 403, json: [{ errorCode: 'REQUEST_LIMIT_EXCEEDED' }] });
    expect(answer.headers.get('retry-after')).toBeNull();
  });
});
