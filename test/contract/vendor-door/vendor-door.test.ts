import { describe, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { startService } from '../../support/service-process.js';
import { SHOP_SECRETS } from '../../support/shop-contract.js';
import { testRunFolder } from '../../support/test-run.js';
import { expectProblem } from '../expect-problem.js';
import { serveShop, shopVariables, testThatAnswersAreDescribed, type Answer } from '../shop-api.js';

const CONTRACT = 'test/contract/vendor-door/vendors.crosswalk.yaml';
const SECRETS = { SHOP_SECRET: 'the shop signs with this', CHAT_KEY: 'chat-key-1', CHAT_VERIFY: 'verify-me' };

type Headers = Readonly<Record<string, string>>;

const ORDER = { id: 7, status: 'paid', total: '12.50', date_modified_gmt: '2026-01-01T12:00:00' };
const FORM = 'application/x-www-form-urlencoded';

describe('a vendor’s webhook', () => {
  const shop = serveShop({ ...SECRETS, CROSSWALK_CONFIG: CONTRACT });

  const send = async (body: string | Buffer, headers: Headers = {}): Promise<Answer> =>
    shop.ask('nobody', 'POST /v1/webhooks/shop', { body, headers: { ...signed(body), ...headers } });
  const order = async (body: string | Buffer, headers: Headers = {}): Promise<Answer> =>
    send(body, { 'x-topic': 'orders/updated', ...headers });
  const eventOf = async (answer: Answer): Promise<Answer['body']> =>
    (await shop.ask('viewer', `GET /v1/events/${String(answer.body?.['event_id'])}`)).body;
  const eventCount = async (): Promise<number> =>
    Number((await shop.query<{ count: string }>('SELECT count(*) FROM events'))[0]?.count);

  test('is told apart by its headers, ordered by its local time, and the same fact however it is printed', async () => {
    const first = await order(JSON.stringify(ORDER));
    expect(first.body).toMatchObject({ verdict: 'accepted' });
    expect(await eventOf(first)).toMatchObject({
      event_type: 'order.changed',
      idempotency_key: expect.stringMatching(/^order:7:2026-01-01T12%3A00%3A00:[0-9a-f]{64}$/),
      occurred_at: '2026-01-01T12:00:00Z',
      entity: { system: 'shop', type: 'order', external_id: '7' },
    });
    const reprinted = '{ "date_modified_gmt":"2026-01-01T12:00:00","total":"12.50","status":"paid", "id":7.0 }';
    expect((await order(reprinted)).body).toMatchObject({ verdict: 'duplicate', event_id: first.body?.['event_id'] });
  });

  test('reads a form as names and texts; what stands several times is a list', async () => {
    const body = 'id=8&date_modified_gmt=2026-01-01+12%3A00%3A00&note=a%20%26%20b+%E2%82%AC&tag=x&tag=y';
    const answer = await order(body, { 'content-type': `${FORM}; charset=UTF-8` });
    expect(answer.body).toMatchObject({ verdict: 'accepted' });
    expect(await eventOf(answer)).toMatchObject({
      payload: { id: '8', date_modified_gmt: '2026-01-01 12:00:00', note: 'a & b €', tag: ['x', 'y'] },
    });
    expectProblem(await order(body.replace('%E2', '%FF'), { 'content-type': FORM }), 'body.not_utf8');
    expectProblem(await order(body, { 'content-type': `${FORM}; charset=iso-8859-1` }), 'body.media_type');
    expectProblem(await order(body, { 'content-type': 'multipart/form-data; boundary=x' }), 'body.media_type');
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('may be compressed with %s, and is the same fact', async (encoding, compress) => {
    await order(JSON.stringify(ORDER));
    const packed = await order(compress(JSON.stringify(ORDER)), { 'content-encoding': encoding });
    expect(packed.body).toMatchObject({ verdict: 'duplicate' });
  });

  test('is refused where it is not what its header says, unpacks to too much, or may not be compressed', async () => {
    const packed = gzipSync(JSON.stringify(ORDER));
    const gzip = { 'content-encoding': 'gzip' };
    expectProblem(await order(JSON.stringify(ORDER), gzip), 'body.undecodable');
    expectProblem(await order(packed.subarray(0, 20), gzip), 'body.undecodable');
    expectProblem(await order(gzipSync(Buffer.alloc(50_000_000, ' ')), gzip), 'body.too_large');
    expectProblem(await order(gzipSync(packed), { 'content-encoding': 'gzip, gzip' }), 'body.media_type');
    expectProblem(await order(packed, { 'content-encoding': 'br' }), 'body.media_type');
    expectProblem(
      await shop.ask('nobody', 'POST /v1/webhooks/chat', { body: packed, headers: { ...gzip, ...chatKey } }),
      'body.media_type',
    );
    // The bytes that were signed are those that arrived.
    const headers = { ...signed(JSON.stringify(ORDER)), ...gzip };
    expectProblem(await shop.ask('nobody', 'POST /v1/webhooks/shop', { body: packed, headers }), 'auth.failed');
  });

  test('with a list is one event per element; what cannot be read keeps the whole, once', async () => {
    const list = '{"at":1767268800,"lines":[{"sku":"A","n":1},{"sku":"b","n":2},{"sku":"C","n":3},{"sku":"A","n":1}]}';
    const answer = await send(list, { 'x-topic': 'stock/counted' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      results: [
        expect.objectContaining({ index: 0, verdict: 'accepted' }),
        expect.objectContaining({ index: 1, verdict: 'unmatched', reason_code: 'webhook.unmatched' }),
        expect.objectContaining({ index: 2, verdict: 'accepted' }),
        expect.objectContaining({ index: 3, verdict: 'duplicate' }),
      ],
    });
    const { results } = answer.body as { results: readonly Readonly<Record<string, unknown>>[] };
    const letter = await shop.ask('viewer', `GET /v1/events/${String(results[1]?.['event_id'])}`);
    expect(letter.body).toMatchObject({
      status: 'DEAD',
      reason: 'Element 1: No rule’s conditions hold for it.',
      payload: JSON.parse(list) as object,
    });
    expect((await send('{"at":1,"lines":[]}', { 'x-topic': 'stock/counted' })).body).toEqual({ results: [] });
  });

  test('whose query holds bytes that are no UTF-8 is refused: two of them would be one fact', async () => {
    const ask = async (id: string): Promise<Answer> =>
      shop.ask('nobody', `POST /v1/webhooks/chat?id=${id}`, { body: {}, headers: chatKey });
    expectProblem(await ask('%FF'), 'request.invalid');
    expect((await ask('%EF%BF%BD')).status).toBe(200);
    const mangled = await order('id=12&date_modified_gmt=2026-01-01+12:00:00&note=%EF%BF%BD', { 'content-type': FORM });
    expect(mangled.body).toMatchObject({ verdict: 'accepted' });
  });

  test('that only pings is answered without a signature where the contract says so, and never stored', async () => {
    const before = await eventCount();
    const ping = { body: 'webhook_id=12', headers: { 'content-type': FORM } };
    const answer = await shop.ask('nobody', 'POST /v1/webhooks/shop', ping);
    expect([answer.status, answer.text]).toEqual([200, '']);
    for (const body of ['id=12', 'webhook_id=%FF', '{', `webhook_id=12&a=${'x'.repeat(16_384)}`]) {
      const other = await shop.ask('nobody', 'POST /v1/webhooks/shop', { ...ping, body });
      expectProblem(other, 'auth.failed');
    }
    const forged = { ...ping.headers, 'x-shop-signature': Buffer.alloc(32).toString('base64') };
    expectProblem(await shop.ask('nobody', 'POST /v1/webhooks/shop', { ...ping, headers: forged }), 'auth.failed');
    expect(await eventCount()).toBe(before);
  });

  test('that asks whether somebody is there gets its challenge back as text, by POST and by GET', async () => {
    const before = await eventCount();
    const body = { type: 'url_verification', challenge: '<script>1</script>' };
    const posted = await shop.ask('nobody', 'POST /v1/webhooks/chat', { body, headers: chatKey });
    expect([posted.status, posted.text]).toEqual([200, '<script>1</script>']);
    expect(posted.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(posted.headers.get('x-content-type-options')).toBe('nosniff');
    const query = (token: string): string => `hub.mode=subscribe&hub.challenge=1158&hub.verify_token=${token}`;
    const asked = await shop.ask('nobody', `GET /v1/webhooks/chat?${query(SECRETS.CHAT_VERIFY)}`);
    expect([asked.status, asked.text]).toEqual([200, '1158']);
    expectProblem(await shop.ask('nobody', `GET /v1/webhooks/chat?${query('other')}`), 'auth.failed');
    // Who shows a credential that is wrong must hear so, whatever a rule would say to somebody without one.
    const wrong = { headers: { 'x-api-key': 'not-the-key' } };
    const refused = await shop.ask('nobody', `GET /v1/webhooks/chat?${query(SECRETS.CHAT_VERIFY)}`, wrong);
    expectProblem(refused, 'auth.failed');
    expectProblem(await shop.ask('nobody', 'GET /v1/webhooks/chat', { headers: chatKey }), 'resource.not_found');
    expectProblem(await shop.ask('nobody', 'GET /v1/webhooks/nobody'), 'resource.not_found');
    expect(await eventCount()).toBe(before);
  });

  test('may have its key in a header, and what is volatile may differ between its copies', async () => {
    const say = async (body: object): Promise<Answer> =>
      shop.ask('nobody', 'POST /v1/webhooks/chat', { body, headers: { ...chatKey, 'idempotency-key': 'M-1' } });
    expect((await say({ id: 'm1', text: 'hi', sent_at: 1 })).body).toMatchObject({ verdict: 'accepted' });
    expect((await say({ id: 'm1', text: 'hi', sent_at: 2 })).body).toMatchObject({ verdict: 'duplicate' });
    expect((await say({ id: 'm1', text: 'ho', sent_at: 2 })).body).toMatchObject({ verdict: 'conflict' });
  });

  describe('that no rule reads', () => {
    const DELETED = '{"id":9}';

    test('is another letter where a condition would look at another header, and keeps no credential', async () => {
      const [orders, again, customers] = [
        await send(DELETED, { 'x-topic': 'orders/delete', authorization: 'Bearer leaked', 'x-delivery': '1' }),
        await send(DELETED, { 'x-topic': 'orders/delete', 'x-delivery': '2' }),
        await send(DELETED, { 'x-topic': 'customers/delete' }),
      ];
      expect(again.body?.['event_id']).toBe(orders.body?.['event_id']);
      expect(customers.body?.['event_id']).not.toBe(orders.body?.['event_id']);
      const [{ request } = { request: '' }] = await shop.query<{ request: string }>(
        'SELECT request FROM events WHERE event_id = $1',
        [orders.body?.['event_id']],
      );
      expect(JSON.parse(request)).toMatchObject({ headers: { 'x-topic': 'orders/delete', 'x-delivery': '1' } });
      expect(request).not.toMatch(/leaked|signature/i);
      // Who mends the contract has to see what a rule could have looked at.
      expect((await eventOf(orders))?.['request']).toMatchObject({ headers: { 'x-topic': 'orders/delete' } });
    });

    test('is one letter per fact where headers say which fact it is', async () => {
      const bare = async (headers: Headers): Promise<unknown> =>
        (await shop.ask('nobody', 'POST /v1/webhooks/chat', { body: '', headers: { ...chatKey, ...headers } })).body?.[
          'event_id'
        ];
      const letters = [await bare({ 'x-id': '1' }), await bare({ 'x-id': '2' }), await bare({ 'x-id': '1' })];
      expect(new Set(letters).size).toBe(2);
      expect(letters[2]).toBe(letters[0]);
    });

    test('is replayed after the contract was mended: once, under its key, by somebody who may', async () => {
      const body = '{"id":10,"date_modified_gmt":"2026-01-01T13:00:00"}';
      const letter = await send(body, { 'x-topic': 'orders/paid' });
      const eventId = String(letter.body?.['event_id']);
      const replay = `POST /v1/admin/dead-letters/${eventId}/replay`;
      const reason = { body: { reason: 'The rule for orders/paid was missing.' } };
      expectProblem(await shop.ask('viewer', replay, reason), 'access.denied');
      expectProblem(await shop.ask('operator', replay, { body: {} }), 'request.invalid');
      const still = await shop.ask('operator', replay, reason);
      expect(still.body).toMatchObject({ status: 'DEAD', results: [{ verdict: 'unmatched' }] });

      const mended = join(mkdtempSync(join(testRunFolder(), 'mended-')), 'crosswalk.yaml');
      writeFileSync(mended, readFileSync(CONTRACT, 'utf8').replace('[orders/create,', '[orders/paid, orders/create,'));
      const service = await startService({
        env: { ...shopVariables(shop.databaseUrl), ...SECRETS, CROSSWALK_CONFIG: mended },
      });
      try {
        const ask = async () =>
          fetch(`${service.url}/v1/admin/dead-letters/${eventId}/replay`, {
            method: 'POST',
            headers: { authorization: `Bearer ${SHOP_SECRETS.OPERATOR_KEY}`, 'content-type': 'application/json' },
            body: JSON.stringify(reason.body),
          });
        const replayed = await Promise.all([ask(), ask()]);
        const answers = (await Promise.all(replayed.map(async (answer) => answer.json()))) as readonly object[];
        expect(answers).toContainEqual({
          event_id: eventId,
          status: 'COMPLETED',
          results: [expect.objectContaining({ verdict: 'accepted' })],
        });
        expect((await ask()).status).toBe(409);
        const accepted = await shop.query<{ count: string }>(
          `SELECT count(*) FROM events WHERE entity_type = 'order' AND external_id = '10'`,
        );
        expect(accepted).toEqual([{ count: '1' }]);
      } finally {
        await service.stop();
      }
      const closed = await shop.ask('viewer', `GET /v1/events/${eventId}`);
      expect(closed.body).toMatchObject({ status: 'COMPLETED', outcome: 'replayed' });
      expect(JSON.stringify(closed.body?.['trace'])).toContain('oscar: The rule for orders/paid was missing.');
      expectProblem(await shop.ask('operator', replay, reason), 'dead_letter.not_replayable');
    });

    test('is replayed, and nothing that is no dead letter', async () => {
      const read = await order(JSON.stringify({ ...ORDER, id: 11 }));
      const ask = async (id: string): Promise<Answer> =>
        shop.ask('operator', `POST /v1/admin/dead-letters/${id}/replay`, { body: { reason: 'Because.' } });
      expectProblem(await ask(String(read.body?.['event_id'])), 'dead_letter.not_replayable');
      expectProblem(await ask('01890a5d-ac96-774b-bcce-b302099a8057'), 'event.not_found');
      expectProblem(await ask('nothing'), 'dead_letter.not_found');
    });
  });

  testThatAnswersAreDescribed(shop);
});

const chatKey = { 'x-api-key': SECRETS.CHAT_KEY };

function signed(body: string | Buffer): Headers {
  return { 'x-shop-signature': createHmac('sha256', SECRETS.SHOP_SECRET).update(body).digest('base64') };
}
