import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EventView } from '../support/crosswalk-client.js';
import { eventually } from '../support/eventually.js';
import { CREDENTIALS, Installation } from '../support/installation.js';
import { sharedRedisUrl } from '../support/shared-redis.js';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PROCESS_HEADERS = { 'x-correlation-id': 'checkout-7f3a', traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01` };

describe('what a target does to us', () => {
  let crosswalk: Installation;
  let customers = 0;

  beforeAll(async () => {
    const contract = 'test/e2e/retries.crosswalk.yaml';
    crosswalk = await Installation.start({ contract, roles: ['all'], redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  beforeEach(() => crosswalk.erp.reset());

  function newCustomer(): string {
    customers += 1;
    return `C-${customers}`;
  }

  /** Sends a version of a customer and returns the event's id. */
  async function send(customerId: string, version = 1, headers: Record<string, string> = {}): Promise<string> {
    const body = JSON.stringify({
      event_type: 'customer.updated',
      customer_id: customerId,
      version,
      name: `v${version}`,
    });
    const credential = { 'x-api-key': CREDENTIALS.CRM_API_KEY };
    const answer = await crosswalk.client().sendWebhook('crm', body, { ...credential, ...headers });
    expect(answer).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    return answer.body.event_id ?? '';
  }

  async function sendAndSettle(customerId: string, version = 1, headers = {}): Promise<EventView> {
    const eventId = await send(customerId, version, headers);
    await crosswalk.idle();
    return crosswalk.client().event(eventId);
  }

  async function callsTo(): Promise<string[]> {
    return (await crosswalk.erp.calls()).map(({ method, status }) => `${method} ${status ?? 'unanswered'}`);
  }

  /** The states of what the ERP does not have yet of an entity. */
  async function pendingStates({ internal_id: internalId }: EventView): Promise<string[]> {
    const pending = await crosswalk.client().pendingCreates('erp');
    return pending.filter((create) => create.internal_id === internalId).map(({ state }) => state);
  }

  function hopsAt(node: string, event: EventView): string[] {
    return event.trace.filter((hop) => hop.node === node).map(({ status, attempt }) => `${status} ${attempt}`);
  }

  test('a target that answers 503 twice gets one record, and the trace shows three attempts', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 503, times: 2 }]);
    const event = await sendAndSettle(newCustomer());

    expect(hopsAt('erp', event)).toEqual(['FAILED 1', 'FAILED 2', 'DELIVERED 3']);
    expect(event.deliveries).toMatchObject([{ target: 'erp', status: 'delivered', attempts: 3 }]);
    expect(await callsTo()).toEqual(['POST 503', 'POST 503', 'POST 201']);
    expect(await crosswalk.erp.records('customers')).toHaveLength(1);
  });

  test('a target that is never there ends as a dead letter, and a newer version takes it up again', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 503, times: '*' }]);
    const customerId = newCustomer();
    const given = await sendAndSettle(customerId);
    expect(given.deliveries).toMatchObject([{ status: 'dead', attempts: 4, reason_code: 'retry.exhausted' }]);

    await crosswalk.erp.scriptFaults([]);
    const newer = await sendAndSettle(customerId, 2);
    expect(newer.deliveries).toMatchObject([{ status: 'delivered' }]);
    const superseded = await crosswalk.client().event(given.event_id);
    expect(hopsAt('erp', superseded).at(-1)).toMatch(/^SUPERSEDED/);
    const [record, ...others] = await crosswalk.erp.records('customers');
    expect([record?.raw, others]).toEqual([expect.stringContaining('"name":"v2"'), []]);
  });

  test('a 429 is not called again before its Retry-After', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'throttle', for_ms: 1_500 }]);
    const event = await sendAndSettle(newCustomer());

    // The backoff alone would have called again several times while the window was open.
    expect(await callsTo()).toEqual(['POST 429', 'POST 201']);
    expect(event.deliveries).toMatchObject([{ status: 'delivered' }]);
  });

  test('waiting for a target that asks for fewer calls spends no attempt', async () => {
    // Six refusals are more than the three retries that a failure would have.
    await crosswalk.erp.scriptFaults([
      { kind: 'status', status: 429, retry_after: 0, times: 4 },
      { kind: 'status', status: 503, retry_after: 0, times: 2 },
    ]);
    const event = await sendAndSettle(newCustomer());

    expect((await callsTo()).at(-1)).toBe('POST 201');
    expect(await callsTo()).toHaveLength(7);
    expect(event.deliveries).toMatchObject([{ status: 'delivered' }]);
  });

  test('a 400 is a dead letter at once, after one call, and others go on', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'status', status: 400, body: { error: 'name is too short' } }]);
    const refused = await sendAndSettle(newCustomer());
    const other = await sendAndSettle(newCustomer());

    expect(refused.deliveries).toMatchObject([{ status: 'dead', attempts: 1, reason_code: 'target.refused' }]);
    expect(refused).toMatchObject({ status: 'COMPLETED', outcome: 'applied' });
    expect(await pendingStates(refused)).toEqual(['blocked']);
    expect(other.deliveries).toMatchObject([{ status: 'delivered' }]);
    expect(await callsTo()).toEqual(['POST 400', 'POST 201']);
  });

  test('a create whose answer was lost is found, adopted and brought up to date: one record', async () => {
    await crosswalk.erp.scriptFaults([
      { kind: 'ignore_idempotency_key', times: '*' },
      { kind: 'timeout_after_applying', method: 'POST' },
    ]);
    const customerId = newCustomer();
    const event = await sendAndSettle(customerId);

    expect(await callsTo()).toEqual(['POST unanswered', 'GET 200', 'PUT 200']);
    const records = await crosswalk.erp.records('customers');
    expect(records).toHaveLength(1);
    expect(event.deliveries).toMatchObject([{ status: 'delivered' }]);
    const { mappings } = await crosswalk.client().entity('customer', event.internal_id ?? '');
    expect(mappings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ system: 'erp', external_id: records[0]?.id, state: 'linked' }),
      ]),
    );
    expect(await pendingStates(event)).toEqual([]);
  });

  test('a create that never arrived is looked for and then made again under the same key, in the same process', async () => {
    await crosswalk.erp.scriptFaults([{ kind: 'timeout_before_applying', method: 'POST' }]);
    const event = await sendAndSettle(newCustomer(), 1, PROCESS_HEADERS);

    const calls = await crosswalk.erp.calls();
    expect(await callsTo()).toEqual(['POST unanswered', 'GET 200', 'POST 201', 'PUT 200']);
    const [first, , second] = calls;
    expect(first?.headers['idempotency-key']).toBe(`create:erp:${event.internal_id}`);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
    for (const { headers } of calls) {
      expect(headers['x-correlation-id']).toBe('checkout-7f3a');
      expect(headers.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
    }
    expect(await crosswalk.erp.records('customers')).toHaveLength(1);
  });

  test('an update that is carried out after its time-out, late, does not stay the last word', async () => {
    const customerId = newCustomer();
    await sendAndSettle(customerId);
    // The target works on the second version for longer than we wait, and meanwhile takes the third one.
    await crosswalk.erp.scriptFaults([{ kind: 'delay', ms: 2_500, method: 'PUT' }]);
    await send(customerId, 2);
    await eventually(async () => expect((await callsTo()).at(-1)).toBe('PUT unanswered'));
    await send(customerId, 3);
    await eventually(async () => expect(await callsTo()).toContain('PUT 200'));
    await eventually(async () => expect(await callsTo()).not.toContain('PUT unanswered'));

    await eventually(
      async () => {
        const [record] = await crosswalk.erp.records('customers');
        expect(record?.raw).toContain('"name":"v3"');
      },
      { deadlineMs: 10_000 },
    );
  });

  test('two records that carry our reference stay a question: unknown, listed, and never created again', async () => {
    // The look-up is held off until there is a second record.
    await crosswalk.erp.scriptFaults([
      { kind: 'timeout_after_applying', method: 'POST' },
      { kind: 'status', status: 429, retry_after: 0, method: 'GET', path_prefix: '/customers', times: '*' },
    ]);
    const customerId = newCustomer();
    const eventId = await send(customerId);
    const [created] = await eventually(async () => {
      const records = await crosswalk.erp.records('customers');
      expect(records).toHaveLength(1);
      return records;
    });
    const twin = await fetch(`${crosswalk.erp.url}/customers`, { method: 'POST', body: created?.raw ?? '' });
    expect(twin.status).toBe(201);
    await crosswalk.erp.scriptFaults([]);
    await crosswalk.idle();

    const event = await crosswalk.client().event(eventId);
    expect(event.deliveries).toMatchObject([{ status: 'dead', reason_code: 'create.ambiguous' }]);
    const ids = (await crosswalk.erp.records('customers')).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(await pendingStates(event)).toEqual(['unknown']);
    const conflicts = await crosswalk.client().conflicts('find');
    expect(conflicts.map(({ candidates }) => candidates.map(({ external_id }) => external_id))).toEqual([ids]);

    await sendAndSettle(customerId, 2);
    expect(await pendingStates(event)).toEqual(['unknown']);
    expect(await crosswalk.client().conflicts('find')).toHaveLength(1);
    expect((await callsTo()).filter((call) => call.startsWith('POST'))).toEqual(['POST unanswered', 'POST 201']);
    expect(await crosswalk.erp.records('customers')).toHaveLength(2);
  });
});
