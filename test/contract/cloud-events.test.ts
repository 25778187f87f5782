import { describe, expect, test } from '@jest/globals';
import { CloudEvent, HTTP, type CloudEventV1, type Message } from 'cloudevents';
import { signWebhook } from '../../examples/sign-webhook.js';
import type { Code } from '../../src/domain/sync-error.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

type Fact = CloudEventV1<unknown>;

/** The event of `customerEnvelope`, with an id and a time for each emission; `undefined` takes a part away. */
function customerEvent(externalId: string, parts: Readonly<Record<string, unknown>> = {}): Fact {
  const version = typeof parts['entityversion'] === 'number' ? parts['entityversion'] : 1;
  const attributes: Readonly<Record<string, unknown>> = {
    source: '/crm/customers',
    type: 'customer.updated',
    subject: externalId,
    idempotencykey: `customer:${externalId}:v${version}`,
    entityversion: version,
    data: { name: `${externalId} v${version}` },
    ...parts,
  };
  const said = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return new CloudEvent(Object.fromEntries(said));
}

const BATCH_TYPE = 'application/cloudevents-batch+json';

describe('CloudEvents', () => {
  const shop = serveShop();

  const send = async ({ headers, body }: Message, more: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    shop.ask('crm', 'POST /v1/events', { body, headers: { ...(headers as Record<string, string>), ...more } });
  const sendBatch = async (events: readonly unknown[]): Promise<Answer> =>
    shop.ask('crm', 'POST /v1/events/batch', { body: events, headers: { 'content-type': BATCH_TYPE } });
  const resultsOf = ({ body }: Answer): readonly Record<string, unknown>[] =>
    body?.['results'] as readonly Record<string, unknown>[];

  const ways: Readonly<Record<string, (externalId: string) => Promise<Readonly<Record<string, unknown>> | undefined>>> =
    {
      envelope: async (id) => (await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope(id) })).body,
      binary: async (id) => (await send(HTTP.binary(customerEvent(id)))).body,
      structured: async (id) => (await send(HTTP.structured(customerEvent(id)))).body,
      batch: async (id) => resultsOf(await sendBatch([customerEvent(id)]))[0],
    };

  test.each(Object.keys(ways))('one fact sent in all four ways, %s first, is one event', async (first) => {
    const externalId = `C-${first}`;
    const accepted = await ways[first]?.(externalId);
    expect(accepted).toMatchObject({ verdict: 'accepted', status: 'RECEIVED' });
    for (const way of Object.values(ways)) {
      expect(await way(externalId)).toMatchObject({ verdict: 'duplicate', event_id: accepted?.['event_id'] });
    }
    expect(await shop.query('SELECT payload FROM events WHERE external_id = $1', [externalId])).toEqual([
      { payload: `{"name":"${externalId} v1"}` },
    ]);
  });

  test('all four ways at once make one event', async () => {
    const answers = await Promise.all(
      [...Object.values(ways), ...Object.values(ways)].map(async (way) => way('C-raced')),
    );
    const verdicts = answers.map((answer) => answer?.['verdict']).sort();
    expect(verdicts).toEqual(['accepted', ...Array.from({ length: 7 }, () => 'duplicate')]);
    expect(new Set(answers.map((answer) => answer?.['event_id'])).size).toBe(1);
  });

  test.each(['binary', 'structured'] as const)('no digit is lost in %s mode', async (mode) => {
    const data = '{ "amount": 1299.00, "big": 9007199254740993, "name": "x" }';
    const { headers, body } = HTTP[mode](customerEvent(`N-${mode}`, { data: { there: 'here' } }));
    const exact = String(body).replace('{"there":"here"}', data);
    expect((await send({ headers, body: exact })).status).toBe(202);
    expect(await shop.query('SELECT payload FROM events WHERE external_id = $1', [`N-${mode}`])).toEqual([
      { payload: data },
    ]);
  });

  test.each(['binary', 'structured'] as const)('%s: 422 for a used key with other content', async (mode) => {
    const first = await send(HTTP[mode](customerEvent(`K-${mode}`)));
    const second = await send(HTTP[mode](customerEvent(`K-${mode}`, { data: { name: 'another' } })));
    expect([second.status, second.body]).toMatchObject([
      422,
      {
        code: 'key.conflict',
        at: '/idempotencykey',
        verdict: 'conflict',
        event_id: first.body?.['event_id'],
        conflict_event_id: expect.any(String),
      },
    ]);
  });

  test.each(['binary', 'structured'] as const)('%s: an id is no key, the header may carry one', async (mode) => {
    const event = HTTP[mode](customerEvent(`H-${mode}`, { idempotencykey: undefined, id: 'an-id' }));
    expectProblem(await send(event), 'key.missing', '/idempotencykey');
    expect((await send(event, { 'idempotency-key': `H-${mode}` })).status).toBe(202);
    const both = HTTP[mode](customerEvent(`H-${mode}`));
    expectProblem(await send(both, { 'idempotency-key': 'other' }), 'key.invalid', '/idempotencykey');
  });

  test.each(['binary', 'structured'] as const)('%s: the process and the trace of the event go on', async (mode) => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const event = customerEvent(`P-${mode}`, { correlationid: `p-${mode}`, traceparent, tracestate: 'a=b' });
    const answer = await send(HTTP[mode](event), { 'x-correlation-id': 'of-the-request' });
    expect([answer.status, answer.body?.['correlation_id'], answer.headers.get('x-correlation-id')]).toEqual([
      202,
      `p-${mode}`,
      `p-${mode}`,
    ]);
    const stored = await shop.query('SELECT traceparent FROM events WHERE external_id = $1', [`P-${mode}`]);
    expect(stored).toEqual([{ traceparent }]);
  });

  test('values in headers are percent-decoded once', async () => {
    const key = 'Zoë 100%:v1';
    const { headers, body } = HTTP.binary(customerEvent('Z-1', { idempotencykey: 'x', data: { name: 'Zoë' } }));
    const encoded = { ...headers, 'ce-idempotencykey': encodeURIComponent(key) };
    const first = await send({ headers: encoded, body });
    const second = await send(HTTP.structured(customerEvent('Z-1', { idempotencykey: key, data: { name: 'Zoë' } })));
    expect([first.status, second.status]).toEqual([202, 200]);
    expectProblem(await send({ headers: { ...headers, 'ce-subject': '50%' }, body }), 'envelope.invalid', '/subject');
  });

  const refusals: readonly [string, Code, string, Readonly<Record<string, unknown>>][] = [
    ['of an unknown type', 'event_type.unknown', '/type', { type: 'customer.vanished' }],
    ['without a subject', 'id.invalid', '/subject', { subject: undefined }],
    ['about another entity type', 'entity_type.mismatch', '/entitytype', { entitytype: 'order' }],
    ['of an unknown system', 'system.unknown', '/entitysystem', { entitysystem: 'sap' }],
    ['with a version that is none', 'version.invalid', '/entityversion', { entityversion: 'x' }],
    ['from the future', 'occurred_at.in_future', '/time', { time: new Date(Date.now() + 3_600_000).toISOString() }],
    ['with a part that nothing acts on yet', 'envelope.unsupported_part', '/links', { links: 'erp:E-1' }],
    ['whose data is a list', 'envelope.invalid', '/data', { data: [1] }],
    ['of CloudEvents 0.3', 'envelope.invalid', '/specversion', { specversion: '0.3' }],
  ];
  test.each(refusals)('an event %s is refused alike in every mode', async (_name, code, at, parts) => {
    const event = customerEvent('R-1', parts);
    expectProblem(await send(HTTP.binary(event)), code, at);
    expectProblem(await send(HTTP.structured(event)), code, at);
    expect(resultsOf(await sendBatch([event]))).toMatchObject([{ index: 0, verdict: 'refused', code, at }]);
  });

  test('bytes for data are refused', async () => {
    const event = customerEvent('R-2', { data: Uint8Array.of(1, 2) });
    expectProblem(await send(HTTP.structured(event)), 'envelope.unsupported_part', '/data_base64');
  });

  test('a batch has one result for each event, as the single calls would answer', async () => {
    const good = customerEvent('B-1');
    const answer = await sendBatch([good, customerEvent('B-2', { idempotencykey: undefined }), good, 'none']);
    const [first] = resultsOf(answer);
    expect(answer.status).toBe(200);
    expect(resultsOf(answer)).toEqual([
      expect.objectContaining({ index: 0, verdict: 'accepted', status: 'RECEIVED' }),
      expect.objectContaining({ index: 1, verdict: 'refused', code: 'key.missing', at: '/idempotencykey' }),
      expect.objectContaining({ index: 2, verdict: 'duplicate', event_id: first?.['event_id'] }),
      expect.objectContaining({ index: 3, verdict: 'refused', code: 'envelope.invalid', at: '' }),
    ]);
    expectProblem(await sendBatch([]), 'batch.empty');
  });

  test('a mode on the wrong route, a format other than JSON, and a CloudEvent where none is read: 415', async () => {
    const event = customerEvent('M-1');
    const { headers, body } = HTTP.structured(event);
    expectProblem(
      await send({ headers: { 'content-type': BATCH_TYPE }, body: `[${String(body)}]` }),
      'body.media_type',
    );
    expectProblem(await send({ headers: { 'content-type': 'application/cloudevents+xml' }, body }), 'body.media_type');
    for (const message of [HTTP.structured(event), HTTP.binary(event)]) {
      const question = { body: message.body, headers: message.headers as Record<string, string> };
      expectProblem(await shop.ask('crm', 'POST /v1/events/batch', question), 'body.media_type');
      expectProblem(await shop.ask('crm', 'POST /v1/webhooks/crm', question), 'body.media_type');
    }
    // The binding allows the headers of binary mode beside a body in structured mode.
    expect((await send({ headers: { ...HTTP.binary(event).headers, ...headers }, body })).status).toBe(202);
  });

  test('a signature is good for structured mode, and not for headers that it does not cover', async () => {
    const askSigned = async ({ headers, body }: Message): Promise<Answer> => {
      const signed = signWebhook(SHOP_SECRETS.CRM_WEBHOOK_SECRET, String(body), new Date());
      const own = headers as Record<string, string>;
      return shop.ask('nobody', 'POST /v1/events', {
        body,
        headers: { ...own, ...signed, 'x-crosswalk-source': 'crm' },
      });
    };
    expect((await askSigned(HTTP.structured(customerEvent('S-1')))).status).toBe(202);
    expectProblem(await askSigned(HTTP.binary(customerEvent('S-1'))), 'access.denied');
  });

  testThatAnswersAreDescribed(shop);
});
