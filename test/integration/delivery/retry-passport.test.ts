import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RetryPassport } from '../../../src/domain/retry-passport.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { eventually } from '../../support/eventually.js';
import { runWorkers, type RunningWorkers } from '../../support/running-workers.js';
import { readShopContract } from '../../support/shop-contract.js';
import { shopEvent, type ShopEvent } from '../../support/shop-event.js';
import { suiteResources } from '../../support/suite-resources.js';
import { createTestDatabase } from '../../support/test-database.js';

const FIRST_ATTEMPT = { 'x-retry-count': '0', 'x-retry-interval': '0' };

describe('the retry passport of a delivery', () => {
  const closeLater = suiteResources();
  let workers: RunningWorkers;
  let remember: (event: ShopEvent, retry?: RetryPassport) => Promise<string>;
  /** Raw headers of each call, lower-case, in order of arrival; what the target answers next. */
  const calls: (readonly (readonly [string, string])[])[] = [];
  let answers: number[] = [];

  beforeAll(async () => {
    const target = await startTarget();
    closeLater(async () => new Promise((resolve) => target.close(resolve)));
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    const erpUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    const contract = await readShopContract({ erpUrl });
    workers = await runWorkers({ contract, databaseUrl: storage.url, redisUrl: undefined });
    closeLater(async () => workers.close());
    remember = async (event, retry) =>
      (await workers.get(InboxService).remember({ ...shopEvent(contract, event), retry })).eventId;
  });

  async function startTarget(): Promise<Server> {
    const server = createServer((request, reply) => {
      const pairs = request.rawHeaders.map((name, at): [string, string] => [
        name.toLowerCase(),
        request.rawHeaders[at + 1] ?? '',
      ]);
      calls.push(pairs.filter((_pair, at) => at % 2 === 0));
      request.resume();
      reply.writeHead(answers.shift() ?? 201, { 'content-type': 'application/json' });
      reply.end(`{"id":"E-${String(calls.length)}"}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  async function send(event: ShopEvent, retry?: RetryPassport, replies: number[] = []): Promise<string> {
    calls.length = 0;
    answers = replies;
    const eventId = await remember(event, retry);
    await eventually(async () => {
      const [end] = await trace(eventId);
      expect(['DELIVERED', 'DEAD']).toContain(end?.status);
      expect(await workers.database.query(`SELECT key FROM work WHERE status <> 'dead'`)).toEqual([]);
    });
    return eventId;
  }

  interface Hop {
    readonly status: string;
    readonly retry_count: number | null;
    readonly retry_interval_ms: number | null;
    readonly reject_reason: string | null;
  }

  /** What the trace tells of the attempts at the target, the last one first. */
  async function trace(eventId: string): Promise<Hop[]> {
    return workers.database.query(
      `SELECT status, retry_count, retry_interval_ms, reject_reason FROM trace
        WHERE event_id = $1 AND node = 'erp' ORDER BY at DESC, trace_id DESC`,
      [eventId],
    );
  }

  const header = (at: number, name: string): readonly string[] =>
    (calls[at] ?? []).flatMap(([each, value]) => (each === name ? value : []));

  test('is that of the contract where the event asks for nothing', async () => {
    await send({ externalId: 'plain', correlationId: 'checkout-1' });
    const headers = Object.fromEntries(calls[0] ?? []);
    expect(headers).toMatchObject({
      ...FIRST_ATTEMPT,
      'x-correlation-id': 'checkout-1',
      'x-max-retry': '3',
      'x-backoff-base': '0.05',
      'x-backoff-jitter': '0',
    });
    expect(headers).not.toHaveProperty('x-reject-reason');
  });

  test('goes with every call and stands with every attempt, and the correlation id stays the same', async () => {
    const retry = { maxRetry: 4, backoffBaseSeconds: 0.1, backoffJitterMs: 0, retryCount: 7, rejectReason: 'x' };
    const eventId = await send({ externalId: 'twice', correlationId: 'checkout-2' }, retry, [503, 503]);
    const created = [0, 1, calls.length - 1];
    expect(header(0, 'x-max-retry')).toEqual(['4']);
    expect(created.map((at) => header(at, 'x-correlation-id'))).toEqual(created.map(() => ['checkout-2']));
    expect(created.map((at) => header(at, 'x-retry-count'))).toEqual([['0'], ['1'], ['2']]);
    expect(created.map((at) => header(at, 'x-retry-interval'))).toEqual([['0'], ['0.1'], ['0.2']]);
    expect(created.map((at) => header(at, 'x-reject-reason'))).toEqual([[], ['target.failed'], ['target.failed']]);
    expect(await trace(eventId)).toEqual([
      { status: 'DELIVERED', retry_count: 2, retry_interval_ms: 200, reject_reason: 'target.failed' },
      { status: 'FAILED', retry_count: 1, retry_interval_ms: 100, reject_reason: 'target.failed' },
      { status: 'FAILED', retry_count: 0, retry_interval_ms: null, reject_reason: null },
    ]);
  });

  test('holds each name once, in a bounded line, however often a call is made again', async () => {
    await send(
      { externalId: 'often' },
      { maxRetry: 12, backoffBaseSeconds: 0.1, backoffJitterMs: 0 },
      [503, 503, 503, 503, 503],
    );
    expect(calls.length).toBeGreaterThanOrEqual(6);
    for (const call of calls) {
      const names = call.map(([name]) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const [, value] of call) expect(value.length).toBeLessThan(256);
    }
    expect(calls.at(-1)).toHaveLength((calls[1] ?? []).length);
  });

  test.each([
    [0, 1],
    [1, 2],
  ])(
    'max_retry %d of the event that wants the newest state means %d calls, and the letter keeps its class',
    async (maxRetry, count) => {
      const externalId = `dead-${String(maxRetry)}`;
      const eventId = await send({ externalId }, { maxRetry }, [503, 503, 503, 503]);
      expect(calls).toHaveLength(count);
      expect((await trace(eventId))[0]?.status).toBe('DEAD');
      const letters = await workers.database.query(
        `SELECT reject_reason, failure_class FROM work
        WHERE status = 'dead' AND internal_id = (SELECT internal_id FROM mappings WHERE external_id = $1)`,
        [externalId],
      );
      expect(letters).toEqual([{ reject_reason: 'retry.exhausted', failure_class: 'retryable' }]);
    },
  );

  test.each([
    [401, 'retry.exhausted', 'auth'],
    [403, 'retry.exhausted', 'auth'],
    [422, 'target.refused', 'final'],
  ])('a letter after %d says %s and is of class %s', async (status, reason, failureClass) => {
    const externalId = `letter-${String(status)}`;
    await send({ externalId }, { maxRetry: 1, backoffBaseSeconds: 0.1, backoffJitterMs: 0 }, [status, status]);
    const letters = await workers.database.query(
      `SELECT reject_reason, failure_class FROM work
        WHERE status = 'dead' AND internal_id = (SELECT internal_id FROM mappings WHERE external_id = $1)`,
      [externalId],
    );
    expect(letters).toEqual([{ reject_reason: reason, failure_class: failureClass }]);
  });
});
