import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callerOf, type Caller } from '../dialects/call-system.js';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import type { AuthRule } from './auth-rule.js';

let nowMs: number;
let server: RecordServer;
let control: RecordServerClient;
let call: Caller;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', port: 0, now: () => nowMs });
  control = new RecordServerClient(server.url);
  call = callerOf(server.url);
});
afterAll(() => server.close());
beforeEach(async () => {
  nowMs = Date.UTC(2025, 0, 1);
  await control.reset();
});

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const signed = (body: string, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('base64')}`;

describe('credentials in each request', () => {
  const hmac: AuthRule = { scheme: 'hmac', header: 'X-Signature', secret: 's', encoding: 'base64', prefix: 'sha256=' };
  test.each<[string, AuthRule, Record<string, string>, Record<string, string>]>([
    ['bearer', { scheme: 'bearer', token: 't' }, { authorization: 'Bearer t' }, { authorization: 'Bearer u' }],
    [
      'basic',
      { scheme: 'basic', user: 'hub', password: 'a:b' },
      { authorization: basic('hub:a:b') },
      { authorization: basic('hub:a') },
    ],
    ['hmac', hmac, { 'x-signature': signed('{}', 's') }, { 'x-signature': signed('{ }', 's') }],
  ])('%s: the right ones pass; wrong ones and none are 401, and nothing is done', async (_, auth, right, wrong) => {
    await control.changeSettings({ auth });
    for (const headers of [wrong, {}])
      expect((await call('POST', '/customers', { body: '{}', headers })).status).toBe(401);
    expect(await control.records('customers')).toEqual([]);
    expect((await call('POST', '/customers', { body: '{}', headers: right })).status).toBe(201);
  });
});

describe('a login with a session', () => {
  const auth: AuthRule = { scheme: 'session', user: 'hub', password: 'p', lives_ms: 60_000 };

  async function logIn(password = 'p'): Promise<{ status: number; cookie: string }> {
    const { status, headers } = await call('POST', '/login', { body: { user: 'hub', password } });
    const cookies = headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status, cookie: cookies.join('; ') };
  }

  test('gives cookies that serve until they expire or are revoked; logins are counted', async () => {
    await control.changeSettings({ auth });
    const look = async (cookie: string) => (await call('GET', '/customers', { headers: { cookie } })).status;
    expect(await look('')).toBe(401);
    const first = await logIn();
    expect(await look(first.cookie)).toBe(200);
    nowMs += 60_000;
    expect(await look(first.cookie)).toBe(401);
    const second = await logIn();
    expect(await look(second.cookie)).toBe(200);
    expect(await control.revoke()).toBe(1);
    expect(await look(second.cookie)).toBe(401);
    expect(await control.logins()).toBe(2);
  });

  test('with a wrong password is refused and counts as none', async () => {
    await control.changeSettings({ auth });
    expect((await logIn('wrong')).status).toBe(401);
    expect(await control.logins()).toBe(0);
  });
});

describe('OAuth 2 client credentials', () => {
  const auth: AuthRule = {
    scheme: 'oauth2-client-credentials',
    token_path: '/oauth/token',
    client_id: 'hub',
    client_secret: 'cs',
    lives_ms: 1000,
    claims_s: 3600,
  };

  test('in the form or as Basic: a token, and what it claims about its time', async () => {
    await control.changeSettings({ auth });
    for (const [form, headers] of [
      ['grant_type=client_credentials&client_id=hub&client_secret=cs', {}],
      ['grant_type=client_credentials', { authorization: basic('hub:cs') }],
    ] as const) {
      const { json } = await call('POST', '/oauth/token', { body: form, headers });
      expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
      const { access_token: token } = json as { access_token: string };
      const withToken = { headers: { authorization: `Bearer ${token}` } };
      expect((await call('GET', '/customers', withToken)).status).toBe(200);
      nowMs += 1000;
      const refused = await call('GET', '/customers', withToken);
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    }
    expect(await control.logins()).toBe(2);
  });

  test('another grant and a wrong secret are refused', async () => {
    await control.changeSettings({ auth });
    expect((await call('POST', '/oauth/token', { body: 'grant_type=password' })).json).toEqual({
      error: 'unsupported_grant_type',
    });
    const body = 'grant_type=client_credentials&client_id=hub&client_secret=x';
    expect((await call('POST', '/oauth/token', { body })).json).toEqual({ error: 'invalid_client' });
  });
});

describe('the call log', () => {
  interface Sent {
    readonly auth: AuthRule;
    readonly path: string;
    readonly body: string;
    readonly headers?: Record<string, string>;
  }
  test.each<[string, Sent]>([
    [
      'a bearer token',
      {
        auth: { scheme: 'bearer', token: 'TOP' },
        path: '/customers',
        body: '{}',
        headers: { authorization: 'Bearer TOP' },
      },
    ],
    [
      'a password',
      {
        auth: { scheme: 'session', user: 'u', password: 'TOP' },
        path: '/login',
        body: '{"user":"u","password":"TOP"}',
      },
    ],
    [
      'a client secret',
      {
        auth: { scheme: 'oauth2-client-credentials', token_path: '/t', client_id: 'u', client_secret: 'TOP' },
        path: '/t',
        body: 'grant_type=client_credentials&client_id=u&client_secret=TOP',
      },
    ],
  ])('never keeps %s', async (_, { auth, path, body, headers = {} }) => {
    await control.changeSettings({ auth });
    expect((await call('POST', path, { body, headers })).status).toBeLessThan(300);
    const calls = await control.calls();
    expect(calls).toHaveLength(1);
    expect(JSON.stringify(calls)).not.toContain('TOP');
  });
});
