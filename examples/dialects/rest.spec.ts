import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import { callerOf, type Caller } from './call-system.js';

let server: RecordServer;
let control: RecordServerClient;
let call: Caller;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', port: 0 });
  control = new RecordServerClient(server.url);
  call = callerOf(server.url);
});
afterAll(() => server.close());
beforeEach(() => control.reset());

async function created(body: unknown): Promise<string> {
  const answer = await call('POST', '/customers', { body });
  return `/customers/${(answer.json as { id: string }).id}`;
}

describe('changing and removing', () => {
  test('PATCH changes what it names, digit for digit; PUT replaces', async () => {
    const path = await created('{"ref":"r-1","a":1.0,"b":2.50}');
    expect((await call('PATCH', path, { body: '{"a":3.00}' })).text).toContain('"ref":"r-1","a":3.00,"b":2.50');
    expect((await control.records('customers'))[0]?.ref).toBe('r-1');
    expect((await call('PUT', path, { body: '{"a":1}' })).text).not.toContain('"b"');
  });

  test('DELETE removes; afterwards the record is not there for anybody', async () => {
    const path = await created({ ref: 'r-1' });
    expect((await call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const sent = method === 'GET' ? {} : { body: {} };
      expect((await call(method, path, sent)).status).toBe(404);
    }
    expect((await control.changes()).map(({ change }) => change)).toEqual(['created', 'deleted']);
  });
});

describe('If-Match', () => {
  test('always counts where it is sent, and is needed where the settings say so', async () => {
    const path = await created({});
    const etag = (await call('GET', path)).headers.get('etag') ?? '';
    const put = (headers: Record<string, string>) => call('PUT', path, { body: {}, headers });
    expect((await put({ 'if-match': etag })).status).toBe(200);
    expect((await put({ 'if-match': etag })).status).toBe(412);
    expect((await put({})).status).toBe(200);
    await control.changeSettings({ require_if_match: true });
    expect((await put({})).status).toBe(428);
    expect((await control.calls())[2]?.headers).toMatchObject({ 'if-match': etag });
  });
});

describe('finding', () => {
  test('any member may be asked for; several must all hold', async () => {
    await created('{"reference":"r-1","line":7}');
    await created('{"reference":"r-1","line":8}');
    expect((await call('GET', '/customers?reference=r-1')).json).toHaveLength(2);
    expect((await call('GET', '/customers?reference=r-1&line=7')).json).toHaveLength(1);
    expect((await control.records('customers')).map(({ ref }) => ref)).toEqual(['r-1', 'r-1']);
  });

  test('a reference may be a number, as the numbers of shops are', async () => {
    await created('{"reference":4711}');
    expect((await call('GET', '/customers?reference=4711')).json).toHaveLength(1);
    expect((await control.records('customers'))[0]?.ref).toBe('4711');
  });

  test('a reference that must be unique is 409 with the id of the record that has it', async () => {
    await control.changeSettings({ unique_refs: true });
    const path = await created({ ref: 'r-1' });
    const again = await call('POST', '/customers', { body: { ref: 'r-1' } });
    expect([again.status, again.json]).toEqual([409, { error: 'ref must be unique', id: path.split('/')[2] }]);
  });
});

describe('idempotency of updates', () => {
  const keyed = (body: unknown, key: string) => ({ body, headers: { 'idempotency-key': key } });

  test('with `all` a known key gets its old answer, and what was written in between stays', async () => {
    await control.changeSettings({ idempotency: 'all' });
    const path = await created({});
    const first = await call('PUT', path, keyed({ n: 1 }, 'one'));
    await call('PUT', path, keyed({ n: 2 }, 'two'));
    expect((await call('PUT', path, keyed({ n: 1 }, 'one'))).text).toBe(first.text);
    expect((await call('GET', path)).json).toMatchObject({ n: 2 });
  });

  test('with `creates` it is carried out again', async () => {
    const path = await created({});
    await call('PUT', path, keyed({ n: 1 }, 'one'));
    await call('PUT', path, keyed({ n: 2 }, 'two'));
    await call('PUT', path, keyed({ n: 1 }, 'one'));
    expect((await call('GET', path)).json).toMatchObject({ n: 1 });
  });
});

test('a PUT that lands late is seen: the last change comes from an older call', async () => {
  const path = await created({ n: 0 });
  await control.scriptFaults([{ kind: 'hold', method: 'PUT' }]);
  const late = call('PUT', path, { body: { n: 1 } });
  while ((await control.held()) === 0) await new Promise((resolve) => setImmediate(resolve));
  await call('PUT', path, { body: { n: 2 } });
  await control.release();
  await late;
  expect((await control.records('customers'))[0]).toMatchObject({ raw: '{"n":1}', writes: 3 });
  const [, held, direct] = await control.calls();
  expect(held?.revision).toBeGreaterThan(direct?.revision ?? Number.POSITIVE_INFINITY);
  expect((await control.changes()).map(({ raw }) => raw)).toEqual(['{"n":0}', '{"n":2}', '{"n":1}']);
});
