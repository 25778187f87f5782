import { describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { customerEnvelope } from './envelope.js';
import { serveShop } from './shop-api.js';

interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Differs from one answer to the next, or belongs to the connection. */
const CHANGING = ['date', 'content-length', 'x-correlation-id', 'connection', 'keep-alive'];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

describe('POST /v1/events answers alike on its direct way and on the way of the framework', () => {
  const shop = serveShop();
  const authentic = { 'x-api-key': SHOP_SECRETS.CRM_API_KEY, 'content-type': 'application/json' };

  /** Only a body of known length goes the direct way. */
  function send(way: 'direct' | 'framework', { headers = authentic, body }: Sending): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length = way === 'direct' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
      const asked = request(`${shop.service.url}/v1/events`, { method: 'POST', headers: { ...headers, ...length } });
      asked.on('error', reject).on('response', (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => {
          const kept = Object.entries(response.headers).filter(([name]) => !CHANGING.includes(name));
          resolve({
            status: response.statusCode,
            headers: { ...Object.fromEntries(kept), hasProcess: response.headers['x-correlation-id'] !== undefined },
            body: text.replace(UUID, '…'),
          });
        });
      });
      if (way === 'framework') asked.flushHeaders();
      asked.end(body);
    });
  }

  const binary = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': '/crm', 'ce-type': 'customer.updated' };
  const text = (parts?: Readonly<Record<string, unknown>>): string => JSON.stringify(customerEnvelope('D-0', parts));

  test.each<[string, Sending]>([
    ['no credential', { headers: { 'content-type': 'application/json' }, body: text() }],
    ['an access key', { headers: { authorization: `Bearer ${SHOP_SECRETS.ADMIN_KEY}` }, body: text() }],
    ['a wrong media type', { headers: { ...authentic, 'content-type': 'text/plain' }, body: text() }],
    [
      'another charset',
      { headers: { ...authentic, 'content-type': 'application/json; charset=utf-16' }, body: text() },
    ],
    ['a coded body', { headers: { ...authentic, 'content-encoding': 'gzip' }, body: text() }],
    ['nothing', { body: '' }],
    ['no JSON', { body: '{' }],
    ['a name twice', { body: '{"a":1,"a":2}' }],
    ['no UTF-8', { body: Buffer.from([0x7b, 0xff, 0x7d]) }],
    ['no envelope', { body: '[]' }],
    ['a part that nobody knows', { body: text({ extra: 1 }) }],
    ['an unknown event type', { body: text({ event_type: 'customer.vanished' }) }],
    ['a key twice', { headers: { ...authentic, 'idempotency-key': 'other' }, body: text() }],
    ['a CloudEvent without data', { headers: { ...authentic, ...binary }, body: '' }],
    [
      'a CloudEvent with a header that is no encoding',
      { headers: { ...authentic, ...binary, 'ce-subject': '%' }, body: '{}' },
    ],
    ['a CloudEvent without a key', { headers: { ...authentic, ...binary }, body: '{}' }],
    [
      'a structured CloudEvent',
      { headers: { ...authentic, 'content-type': 'application/cloudevents+json' }, body: '{}' },
    ],
    ['a future', { body: text({ occurred_at: '2999-01-01T00:00:00Z' }) }],
  ])('to %s', async (_what, sending) => {
    const [direct, framework] = [await send('direct', sending), await send('framework', sending)];
    expect(direct).toEqual(framework);
    expect(direct.status).toBeGreaterThanOrEqual(400);
  });

  test('to a new event, to its copy and to other content under its key', async () => {
    const ways = ['direct', 'framework'] as const;
    const answers = await Promise.all(
      ways.map(async (way) => {
        const body = JSON.stringify(customerEnvelope(`D-${way}`));
        const other = JSON.stringify(customerEnvelope(`D-${way}`, { payload: { name: 'other' } }));
        return [await send(way, { body }), await send(way, { body: other })];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([{ status: 202 }, { status: 422 }]);

    const body = JSON.stringify(customerEnvelope('D-copied'));
    expect(await send('direct', { body })).toMatchObject({ status: 202 });
    expect(await send('framework', { body })).toMatchObject({ status: 200 });
    expect(await send('direct', { body })).toMatchObject({ status: 200 });
    const attributes = {
      ...binary,
      'ce-subject': 'D-copied',
      'ce-entityversion': '1',
      'ce-idempotencykey': 'customer:D-copied:v1',
    };
    const event = { headers: { ...authentic, ...attributes }, body: '{"name":"D-copied v1"}' };
    expect(await send('direct', event)).toMatchObject({ status: 200 });
    expect(await send('framework', event)).toMatchObject({ status: 200 });
  });
});
