import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { customerEnvelope } from './envelope.js';
import { serveShop } from './shop-api.js';

const TRICKLE_MS = 50;
/** Far above the second that is set, and below the minute that Node would give by itself. */
const CUT_OFF_MS_MAX = 45_000;

describe('a request that trickles in', () => {
  const shop = serveShop({ REQUEST_TIMEOUT_SECONDS: '1' });

  const credential = `X-Api-Key: ${SHOP_SECRETS.CRM_API_KEY}\r\nContent-Type: application/json\r\n`;
  const head = (path: string): string => `POST ${path} HTTP/1.1\r\nHost: x\r\n${credential}`;

  /** Adds `more` again and again until the other side has closed the connection; what it said before that. */
  async function trickle(beginning: string, more: string): Promise<string> {
    const { hostname, port } = new URL(shop.service.url);
    // Half open on purpose: this client does not go away by itself when the server has said its last word.
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.write(beginning);
    const trickling = setInterval(() => socket.write(more), TRICKLE_MS);
    await new Promise((resolve) => socket.on('close', resolve));
    clearInterval(trickling);
    return answer;
  }

  test.each([
    ['POST /v1/events on its direct way', `${head('/v1/events')}Content-Length: 1000000\r\n\r\n{`, ' '],
    ['POST /v1/events on the framework’s way', `${head('/v1/events')}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['a batch', `${head('/v1/events/batch')}Content-Length: 1000000\r\n\r\n[`, ' '],
    ['a webhook', `${head('/v1/webhooks/crm')}Content-Length: 1000000\r\n\r\n{`, ' '],
    ['the headers of an event', head('/v1/events'), 'X-More: 1\r\n'],
  ])(
    'is cut off and told so: %s',
    async (_what, beginning, more) => {
      const answer = await trickle(beginning, more);
      expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(answer).toContain('"code":"request.too_slow"');
      expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
    },
    CUT_OFF_MS_MAX,
  );

  test('harms nobody else, and nothing of it was stored', async () => {
    const answer = await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope('swift') });
    expect(answer.status).toBe(202);
    expect(await shop.query('SELECT external_id FROM events')).toHaveLength(1);
  });
});
