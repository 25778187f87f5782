import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FaultRule } from './fault-rule.js';
import { RecordServerClient } from './record-server-client.js';
import { startRecordServer, type RecordServer } from './record-server.js';

let nowMs: number;
let waits: { readonly ms: number; readonly end: () => void }[];
let server: RecordServer;
let control: RecordServerClient;

beforeEach(async () => {
  nowMs = Date.UTC(2025, 0, 1);
  waits = [];
  const wait = (ms: number) => new Promise<void>((resolve) => waits.push({ ms, end: resolve }));
  server = await startRecordServer({ system: 'erp', port: 0, now: () => nowMs, wait });
  control = new RecordServerClient(server.url);
});
afterEach(() => server.close());

function create(headers: Record<string, string> = {}, signal: AbortSignal | null = null): Promise<Response> {
  return fetch(`${server.url}/customers`, { method: 'POST', body: '{"ref":"r-1"}', headers, signal });
}

async function recordCount(): Promise<number> {
  return (await control.records('customers')).length;
}

/** Asks until it holds: the turns of the event loop that a socket needs are not ours to count. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

describe('each kind of fault', () => {
  test('delay: the work is done and answered after the delay', async () => {
    await control.scriptFaults([{ kind: 'delay', ms: 5000 }]);
    const answer = create();
    await until(() => waits.length === 1);
    expect(waits[0]?.ms).toBe(5000);
    expect(await recordCount()).toBe(0);
    waits[0]?.end();
    expect((await answer).status).toBe(201);
  });

  test('delay: the work is done although the caller has given up', async () => {
    await control.scriptFaults([{ kind: 'delay', ms: 5000 }]);
    const abort = new AbortController();
    const answer = create({}, abort.signal);
    await until(() => waits.length === 1);
    abort.abort();
    await expect(answer).rejects.toThrow();
    waits[0]?.end();
    await until(async () => (await recordCount()) === 1);
  });

  test.each([
    ['timeout_after_applying', 1],
    ['timeout_before_applying', 0],
  ] as const)('%s: the connection is cut without an answer and %d records exist', async (kind, records) => {
    await control.scriptFaults([{ kind, ms: 3000 }]);
    const answer = create();
    const failed = expect(answer).rejects.toThrow('fetch failed');
    await until(() => waits.length === 1);
    waits[0]?.end();
    await failed;
    expect(await recordCount()).toBe(records);
    expect((await control.calls())[0]).toMatchObject({ status: null, answered_at: null, applied: records === 1 });
  });

  test('timeout_after_applying without ms: the caller has to give up by itself', async () => {
    await control.scriptFaults([{ kind: 'timeout_after_applying' }]);
    const abort = new AbortController();
    const answer = create({}, abort.signal);
    await until(async () => (await recordCount()) === 1);
    expect(waits).toEqual([]);
    abort.abort();
    await expect(answer).rejects.toThrow();
  });

  test('reset_after_applying: the record exists and the caller sees a broken connection', async () => {
    await control.scriptFaults([{ kind: 'reset_after_applying' }]);
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await recordCount()).toBe(1);
  });

  test('status: nothing is applied, and the answer is as scripted', async () => {
    await control.scriptFaults([{ kind: 'status', status: 503, retry_after: 2, body: { error: 'down' } }]);
    const answer = await create();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toEqual({ error: 'down' });
    expect(await recordCount()).toBe(0);
  });

  test('throttle: every call of the window gets 429 with the time that is left, later ones pass', async () => {
    await control.scriptFaults([{ kind: 'throttle', for_ms: 10_000 }]);
    const first = await create();
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '10']);
    nowMs += 8500;
    const second = await create();
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '2']);
    nowMs += 1500;
    expect((await create()).status).toBe(201);
    expect(await recordCount()).toBe(1);
  });

  test('ignore_idempotency_key: a copy becomes a second record', async () => {
    await control.scriptFaults([{ kind: 'ignore_idempotency_key', times: '*' }]);
    expect((await create({ 'idempotency-key': 'k' })).status).toBe(201);
    expect((await create({ 'idempotency-key': 'k' })).status).toBe(201);
    expect(await recordCount()).toBe(2);
  });

  test('garbage: the record exists and the 200 cannot be read', async () => {
    await control.scriptFaults([{ kind: 'garbage' }]);
    const answer = await create();
    expect(answer.status).toBe(200);
    await expect(answer.json()).rejects.toThrow();
    expect(await recordCount()).toBe(1);
  });

  test('hold: nothing is done before the test lets the call go, the oldest first', async () => {
    await control.scriptFaults([{ kind: 'hold', times: 2 }]);
    const answers = [create(), create()];
    await until(async () => (await control.held()) === 2);
    expect(await recordCount()).toBe(0);
    await control.release(1);
    await until(async () => (await recordCount()) === 1);
    await control.release();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 201]);
  });

  test('late_answer: the work is done at once, and the answer comes when the test says so', async () => {
    await control.scriptFaults([{ kind: 'late_answer' }]);
    const answer = create();
    await until(async () => (await recordCount()) === 1);
    expect((await control.calls())[0]).toMatchObject({ applied: true, answered_at: null });
    await control.release();
    expect((await answer).status).toBe(201);
  });

  test('late_body: status and headers come at once, the body after its time', async () => {
    await control.scriptFaults([{ kind: 'late_body', ms: 7000 }]);
    const answer = await create();
    expect(answer.status).toBe(201);
    expect((await control.calls())[0]?.answered_at).toBeNull();
    await until(() => waits.length === 1);
    expect(waits[0]?.ms).toBe(7000);
    waits[0]?.end();
    expect(await answer.json()).toMatchObject({ ref: 'r-1' });
  });

  test('cut_body: the record exists and the answer breaks off in the middle', async () => {
    await control.scriptFaults([{ kind: 'cut_body' }]);
    await expect(create().then((answer) => answer.text())).rejects.toThrow();
    expect(await recordCount()).toBe(1);
  });

  test('reset_before_applying: a broken connection, and nothing was done', async () => {
    await control.scriptFaults([{ kind: 'reset_before_applying' }]);
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await recordCount()).toBe(0);
  });

  test('status_after_applying: the record exists, and a proxy says that it failed', async () => {
    await control.scriptFaults([{ kind: 'status_after_applying', status: 502, body: '<h1>Bad Gateway</h1>' }]);
    const answer = await create();
    expect([answer.status, await answer.text()]).toEqual([502, '<h1>Bad Gateway</h1>']);
    expect(await recordCount()).toBe(1);
  });

  test('redirect: somewhere else is named, and nothing was done', async () => {
    await control.scriptFaults([{ kind: 'redirect', location: 'http://127.0.0.1:1/customers' }]);
    const answer = await fetch(`${server.url}/customers`, { method: 'POST', body: '{}', redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:1/customers']);
    expect(await recordCount()).toBe(0);
  });
});

describe('a script', () => {
  type Limits = Pick<FaultRule, 'times' | 'method' | 'path_prefix' | 'body_includes' | 'probability' | 'seed'>;
  const refusal = (status: number, limits: Limits = {}): FaultRule => ({ kind: 'status', status, ...limits });

  test('is used rule by rule, each as often as it says', async () => {
    await control.scriptFaults([refusal(500), refusal(503, { times: 2 })]);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await create()).status);
    expect(statuses).toEqual([500, 503, 503, 201]);
  });

  test('strikes only the calls that method and path name', async () => {
    await control.scriptFaults([
      refusal(500, { times: '*', method: 'PUT' }),
      refusal(503, { times: '*', path_prefix: '/customers?ref=' }),
      refusal(502, { times: '*', method: 'PATCH' }),
      refusal(504, { times: '*', method: 'DELETE' }),
      refusal(418, { times: '*', body_includes: 'teapot' }),
    ]);
    expect((await create()).status).toBe(201);
    expect((await fetch(`${server.url}/customers?ref=r-1`)).status).toBe(503);
    for (const [method, status] of [
      ['PUT', 500],
      ['PATCH', 502],
      ['DELETE', 504],
    ] as const)
      expect((await fetch(`${server.url}/orders/1`, { method, body: '{}' })).status).toBe(status);
    expect((await fetch(`${server.url}/orders`, { method: 'POST', body: '{"a":"teapot"}' })).status).toBe(418);
  });

  test('joins an ignored key with a lost answer: the retry makes a duplicate', async () => {
    await control.scriptFaults([{ kind: 'ignore_idempotency_key', times: 2 }, { kind: 'reset_after_applying' }]);
    await expect(create({ 'idempotency-key': 'k' })).rejects.toThrow('fetch failed');
    expect((await create({ 'idempotency-key': 'k' })).status).toBe(201);
    expect(await recordCount()).toBe(2);
    expect((await control.calls()).map((call) => call.faults)).toEqual([
      ['ignore_idempotency_key', 'reset_after_applying'],
      ['ignore_idempotency_key'],
    ]);
  });

  test('with one probability and seed strikes the same calls in every run', async () => {
    const runs: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      await control.scriptFaults([refusal(503, { times: '*', probability: 0.5, seed: 42 })]);
      const statuses: number[] = [];
      for (let n = 0; n < 20; n += 1) statuses.push((await create()).status);
      runs.push(statuses.join(' '));
    }
    expect(runs[0]).toBe(runs[1]);
    expect(runs[0]).toContain('503');
    expect(runs[0]).toContain('201');
  });

  test('with a mistake is answered 400 with the mistake, and the former script stays', async () => {
    await control.scriptFaults([refusal(503)]);
    for (const body of ['{', '[{"kind":"garbage"},{"kind":"delay"}]']) {
      const answer = await fetch(`${server.url}/_control/faults`, { method: 'POST', body });
      expect(answer.status).toBe(400);
      const { problems } = (await answer.json()) as { problems: string[] };
      expect(problems).toEqual([body === '{' ? 'the body is not JSON' : 'rule 2: ms is missing']);
    }
    expect((await create()).status).toBe(503);
  });

  test('never strikes the control plane', async () => {
    await control.scriptFaults([refusal(500, { times: '*' })]);
    expect(await control.system()).toBe('erp');
    expect(await control.calls()).toEqual([]);
  });
});
