import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from './record-server-client.js';
import { startRecordServer, type RecordServer } from './record-server.js';
import { retryAfterText } from './retry-after.js';

let nowMs: number;
let server: RecordServer;
let control: RecordServerClient;

beforeEach(async () => {
  nowMs = Date.UTC(2025, 0, 1);
  server = await startRecordServer({ system: 'erp', port: 0, now: () => nowMs });
  control = new RecordServerClient(server.url);
});
afterEach(() => server.close());

async function look(): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await fetch(`${server.url}/customers`);
  await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

test('as many calls as the limit says are let in within any stretch of the window, and a refused one costs nothing', async () => {
  await control.changeSettings({ rate_limit: { max: 2, per_ms: 10_000 } });
  expect((await look()).status).toBe(200);
  nowMs += 6000;
  expect((await look()).status).toBe(200);
  expect(await look()).toEqual({ status: 429, retryAfter: '4' });
  nowMs += 4000;
  expect((await look()).status).toBe(200);
  expect(await look()).toEqual({ status: 429, retryAfter: '6' });
  expect(await control.mostArrivals(10_000)).toBe(4);
  expect(await control.mostArrivals(1000)).toBe(2);
});

describe('Retry-After', () => {
  test.each([
    ['seconds', '9'],
    ['date', 'Wed, 01 Jan 2025 00:00:09 GMT'],
    ['past', 'Tue, 31 Dec 2024 23:00:00 GMT'],
    ['junk', 'in a moment, please'],
    ['enormous', '99999999999999'],
    ['none', undefined],
  ] as const)('as %s', async (style, text) => {
    expect(retryAfterText(style, 8500, nowMs)).toBe(text);
    await control.changeSettings({ rate_limit: { max: 0, per_ms: 8500, retry_after: style } });
    expect(await look()).toEqual({ status: 429, retryAfter: text ?? null });
    await control.changeSettings({ rate_limit: null });
    await control.scriptFaults([{ kind: 'throttle', for_ms: 8500, retry_after: style }]);
    expect(await look()).toEqual({ status: 429, retryAfter: text ?? null });
  });
});
