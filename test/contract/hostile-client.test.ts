import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { serveShop } from './shop-api.js';

const CUSTOMER = { type: 'customer', external_id: 'C-1' };

describe('a clumsy or hostile client', () => {
  const shop = serveShop();

  const envelope = (key: string, changes: object = {}): object => ({
    idempotency_key: key,
    event_type: 'customer.updated',
    entity: CUSTOMER,
    version: 1,
    payload: { name: 'first' },
    ...changes,
  });

  test('of two contents under one key in a batch the first is kept, however often it is tried', async () => {
    for (let round = 0; round < 10; round++) {
      const first = envelope(`k-${round}`, { entity: { ...CUSTOMER, external_id: `B-${round}` } });
      const body = [first, { ...first, payload: { name: 'second' } }];
      const answer = await shop.ask('crm', 'POST /v1/events/batch', { body });
      expect(answer.body?.['results']).toMatchObject([{ verdict: 'accepted' }, { verdict: 'conflict' }]);
    }
  });

  test('an event that is too large alone is too large in a batch', async () => {
    const large = envelope('large', { payload: { name: 'x'.repeat(1_100_000) } });
    const single = await shop.ask('crm', 'POST /v1/events', { body: large });
    const batch = await shop.ask('crm', 'POST /v1/events/batch', { body: [large, envelope('small')] });
    expect(single.body?.['code']).toBe('body.too_large');
    expect(batch.body?.['results']).toMatchObject([{ code: 'body.too_large' }, { verdict: 'accepted' }]);
  });

  test('what a refusal quotes is short and holds no control character', async () => {
    const answer = await shop.ask('crm', 'POST /v1/events', {
      body: envelope('q', { event_type: `line\u0000\n${'x'.repeat(300_000)}` }),
    });
    expect(answer.body?.['code']).toBe('event_type.unknown');
    expect(answer.text.length).toBeLessThan(500);
    expect(String(answer.body?.['detail'])).not.toMatch(/\p{Cc}/u);
  });

  test('a number and the digits that an event carries are one id in write-backs and look-ups too', async () => {
    const crm = 'POST /v1/events';
    const digits = '{"type":"customer","external_id":12.50}';
    const event = `{"idempotency_key":"n1","event_type":"customer.updated","entity":${digits},"version":1,"payload":{}}`;
    expect((await shop.ask('crm', crm, { body: event })).status).toBe(202);
    await eventually(async () => {
      const answer = await shop.ask('viewer', 'POST /v1/mappings/resolve', {
        body: '{"items":[{"system":"crm","entity_type":"customer","external_id":12.50}]}',
      });
      expect(answer.body?.['results']).toMatchObject([{ found: true }]);
    });
  });

  test('an access key on a webhook is told that it is the wrong kind of credential', async () => {
    const answer = await shop.ask('admin', 'POST /v1/webhooks/crm', { body: {} });
    expect([answer.status, answer.body?.['code']]).toEqual([403, 'access.denied']);
  });

  test('two Idempotency-Key headers are refused, not joined', async () => {
    const body = JSON.stringify(envelope('x', { idempotency_key: undefined }));
    const head = `POST /v1/events HTTP/1.1\r\nHost: x\r\nX-Api-Key: ${SHOP_SECRETS.CRM_API_KEY}\r\n`;
    const keys = 'Idempotency-Key: a\r\nIdempotency-Key: b\r\n';
    const rest = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
    const answer = await exchange(head + keys + rest + body);
    expect(answer).toMatch(/^HTTP\/1\.1 422 /);
    expect(answer).toContain('key.invalid');
  });

  test('what is no HTTP gets a problem document', async () => {
    const answer = await exchange('this is not HTTP\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('request.invalid');
  });

  test('every refused credential is a line of the log', async () => {
    await shop.ask('nobody', 'POST /v1/webhooks/crm', { body: {} });
    const line = /"code":"auth\.failed"[^\n]*"msg":"request\.refused"/;
    await eventually(() => expect(shop.service.output()).toMatch(line));
  });

  async function exchange(request: string): Promise<string> {
    const { hostname, port } = new URL(shop.service.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.write(request);
    await new Promise<void>((resolve) => {
      socket.on('close', () => {
        resolve();
      });
    });
    return answer;
  }
});
