import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startDatabaseProxy } from '../support/database-proxy.js';
import type { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { CREDENTIALS, Installation } from '../support/installation.js';

const EVENTS = 110;
const PAYLOAD_BYTES = 1_000_000;
/** What waits (64 MiB and the event that fills it) and the group under way (8 MiB). */
const LET_IN_MAX = (67_108_864 + 8_388_608) / PAYLOAD_BYTES + 1;

describe('more arrives than a database that is held up takes', () => {
  let crosswalk: Installation;
  let proxy: DatabaseProxy;

  beforeAll(async () => {
    crosswalk = await Installation.start({
      contract: 'test/faults/customers.crosswalk.yaml',
      roles: ['api'],
      databaseUrl: async (url) => {
        proxy = await startDatabaseProxy(url);
        return proxy.url;
      },
    });
  });

  afterAll(async () => {
    proxy.letGo();
    await crosswalk.stop();
    await proxy.close();
  });

  const envelope = (id: string, payloadBytes: number): object => ({
    idempotency_key: id,
    event_type: 'customer.updated',
    entity: { type: 'customer', external_id: id },
    version: 1,
    payload: { name: 'x'.repeat(payloadBytes) },
  });

  interface Answer {
    readonly status: number;
    readonly retryAfterSeconds: number;
    readonly body: { readonly code?: string; readonly verdict?: string; readonly results?: readonly unknown[] };
  }

  async function send(path: string, body: unknown): Promise<Answer> {
    const answer = await fetch(`${crosswalk.client().url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': CREDENTIALS.CRM_API_KEY },
      body: JSON.stringify(body),
      // As long as the whole test may take: an event that was let in waits until the database is let go.
      signal: AbortSignal.timeout(110_000),
    });
    const retryAfterSeconds = Number(answer.headers.get('retry-after'));
    return { status: answer.status, retryAfterSeconds, body: (await answer.json()) as Answer['body'] };
  }

  const sendLarge = (at: number): Promise<Answer> => send('/v1/events', envelope(`large-${at}`, PAYLOAD_BYTES));
  const overloaded = { status: 503, retryAfterSeconds: 2, body: { code: 'door.overloaded' } };

  test('what does not fit is refused at once, what was let in is stored once, and so is everything sent again', async () => {
    proxy.hold();
    const refused: Answer[] = [];
    const sent = Promise.all(
      Array.from({ length: EVENTS }, async (_, at) => {
        const answer = await sendLarge(at);
        if (answer.status === 503) refused.push(answer);
        return answer;
      }),
    );
    await eventually(() => expect(refused.length).toBeGreaterThanOrEqual(EVENTS - LET_IN_MAX), { deadlineMs: 60_000 });
    expect(refused).toMatchObject(refused.map(() => overloaded));

    const small = [envelope('small', 1), envelope('small too', 1)];
    expect(await send('/v1/events/batch', small)).toMatchObject(overloaded);
    const faulty = { ...envelope('faulty', 1), version: 'one' };
    const mixed = await send('/v1/events/batch', [...small, faulty]);
    expect(mixed.body.results).toMatchObject([
      { verdict: 'refused', code: 'door.overloaded', retryable: true },
      { verdict: 'refused', code: 'door.overloaded', retryable: true },
      { verdict: 'refused', code: 'version.invalid', retryable: false },
    ]);
    expect(await crosswalk.count('FROM events')).toBe(0);

    proxy.letGo();
    const answers = await sent;
    const letIn = answers.filter(({ status }) => status !== 503);
    expect(letIn).toMatchObject(letIn.map(() => ({ status: 202 })));
    expect(await crosswalk.count('FROM events')).toBe(letIn.length);

    for (const [at, { status }] of answers.entries()) {
      const again = await sendLarge(at);
      expect({ at, verdict: again.body.verdict }).toEqual({ at, verdict: status === 503 ? 'accepted' : 'duplicate' });
    }
    expect(await crosswalk.count('FROM events')).toBe(EVENTS);
    expect(await crosswalk.count('FROM (SELECT DISTINCT external_id FROM events) AS stored')).toBe(EVENTS);
  });
});
