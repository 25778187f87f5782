import { describe, expect, test } from '@jest/globals';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('POST /v1/events/batch', () => {
  const shop = serveShop();

  const send = async (body: unknown): Promise<Answer> => shop.ask('crm', 'POST /v1/events/batch', { body });
  const resultsOf = ({ body }: Answer): readonly Record<string, unknown>[] =>
    body?.['results'] as readonly Record<string, unknown>[];

  test('200 with one result per item in their order: good ones are accepted whatever the others are', async () => {
    const good = customerEnvelope('C-1');
    const answer = await send([
      good,
      customerEnvelope('C-2', { version: 'not-a-version' }),
      good,
      { ...good, payload: { name: 'another' } },
      'no envelope',
    ]);
    expect(answer.status).toBe(200);
    const [first] = resultsOf(answer);
    expect(resultsOf(answer)).toEqual([
      {
        index: 0,
        verdict: 'accepted',
        status: 'RECEIVED',
        event_id: expect.any(String),
        correlation_id: expect.any(String),
      },
      {
        index: 1,
        verdict: 'refused',
        code: 'version.invalid',
        detail: expect.any(String),
        at: '/version',
        retryable: false,
      },
      expect.objectContaining({ index: 2, verdict: 'duplicate', event_id: first?.['event_id'] }),
      expect.objectContaining({
        index: 3,
        verdict: 'conflict',
        reason_code: 'key.conflict',
        event_id: first?.['event_id'],
        conflict_event_id: expect.any(String),
      }),
      { index: 4, verdict: 'refused', code: 'envelope.invalid', detail: expect.any(String), at: '', retryable: false },
    ]);
  });

  test('an event is as deep in a batch as alone; a deeper one is refused either way', async () => {
    const nested = (id: string, levels: number): string =>
      JSON.stringify(customerEnvelope(id, { payload: 'HERE' })).replace(
        '"HERE"',
        `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
      );
    // The envelope is one level of the 64.
    const alone = await shop.ask('crm', 'POST /v1/events', { body: nested('D-1', 63) });
    expect(alone.status).toBe(202);
    expect(resultsOf(await send(`[${nested('D-1', 63)},${nested('D-2', 63)}]`))).toMatchObject([
      { verdict: 'duplicate' },
      { verdict: 'accepted' },
    ]);
    expectProblem(await send(`[${nested('D-3', 64)}]`), 'body.too_deep');
    expectProblem(await shop.ask('crm', 'POST /v1/events', { body: nested('D-3', 64) }), 'body.too_deep');
  });

  test('1000 events are read, 1001 are too many and none of them is stored', async () => {
    const envelopes = Array.from({ length: 1001 }, (_, at) => customerEnvelope(`M-${at}`));
    expectProblem(await send(envelopes), 'batch.too_large');
    expect(await shop.query(`SELECT 1 FROM events WHERE external_id LIKE 'M-%'`)).toEqual([]);
    const answer = await send(envelopes.slice(1));
    expect(new Set(resultsOf(answer).map(({ verdict }) => verdict))).toEqual(new Set(['accepted']));
    expect(resultsOf(answer).map(({ index }) => index)).toEqual(Array.from({ length: 1000 }, (_, at) => at));
  });

  test('an empty list, and what is no list', async () => {
    expectProblem(await send([]), 'batch.empty');
    expectProblem(await send(customerEnvelope('C-3')), 'envelope.invalid', '');
    expectProblem(await send('[{]'), 'body.not_json');
  });

  test('401 without a credential, 403 with one for people', async () => {
    expectProblem(await shop.ask('nobody', 'POST /v1/events/batch', { body: [] }), 'auth.failed');
    expectProblem(await shop.ask('operator', 'POST /v1/events/batch', { body: [] }), 'access.denied');
  });

  testThatAnswersAreDescribed(shop);
});
