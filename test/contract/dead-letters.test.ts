import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { allPages } from './pages.js';
import { CREDENTIALS, serveShop, testThatAnswersAreDescribed } from './shop-api.js';

const LETTERS = '/v1/admin/dead-letters';

describe('dead letters over HTTP', () => {
  const shop = serveShop();

  /** Nobody listens where the ERP should be, so every delivery is given up after some attempts. */
  beforeAll(async () => {
    for (const id of ['C-1', 'C-2', 'C-3']) await shop.ask('crm', 'POST /v1/events', { body: customerEnvelope(id) });
    await shop.ask('crm', 'POST /v1/webhooks/crm', { body: '{"odd":1}' });
    await eventually(
      async () => expect(await shop.query(`SELECT key FROM work WHERE status = 'dead'`)).toHaveLength(4),
      { deadlineMs: 30_000 },
    );
  });

  async function letters(query = ''): Promise<readonly Readonly<Record<string, unknown>>[]> {
    return allPages(shop, 'viewer', `GET ${LETTERS}?${query}`, 50);
  }

  async function repair(what: string, body: object, headers: Record<string, string> = {}) {
    return shop.ask('operator', `POST ${LETTERS}/${what}`, { body: { reason: 'A test.', ...body }, headers });
  }

  test.each([1, 2, 50])('pages of %d hold each letter once, newest first', async (limit) => {
    const items = await allPages(shop, 'viewer', `GET ${LETTERS}?`, limit);
    expect(new Set(items.map(({ letter_id: id }) => id)).size).toBe(4);
    const times = items.map(({ dead_at: at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test.each([
    ['kind=event', 1],
    ['kind=delivery', 3],
    ['code=webhook.unmatched', 1],
    ['code=retry.exhausted&target=erp', 3],
    ['source=crm', 4],
    ['event_type=customer.updated', 3],
    ['correlation_id=nobody', 0],
    ['from=2100-01-01T00:00:00Z', 0],
    ['to=2100-01-01T00:00:00Z', 4],
  ])('the filter %s leaves %d', async (query, count) => {
    expect(await letters(query)).toHaveLength(count);
  });

  test('groups count by reason, target or source, and event type', async () => {
    const { body } = await shop.ask('viewer', `GET ${LETTERS}/groups`);
    expect(body).toMatchObject({
      is_complete: true,
      items: [
        { kind: 'delivery', reason_code: 'retry.exhausted', target: 'erp', event_type: 'customer.updated', count: 3 },
        { kind: 'event', reason_code: 'webhook.unmatched', source: 'crm', count: 1 },
      ],
    });
  });

  test('one letter tells its attempts with their times, what was sent, and what a replay would do', async () => {
    const [letter] = await letters('kind=delivery');
    const { body, headers } = await shop.ask('viewer', `GET ${LETTERS}/${String(letter?.['letter_id'])}`);
    expect(headers.get('etag')).toBe(letter?.['etag']);
    expect(body).toMatchObject({
      attempts: 4,
      payload: expect.any(Object),
      replay: expect.stringContaining('newest state'),
      history: [
        { status: 'FAILED', attempt: 1 },
        { attempt: 2 },
        { attempt: 3 },
        { status: 'DEAD', attempt: 4, at: expect.any(String) },
      ],
    });
    expectProblem(await shop.ask('viewer', `GET ${LETTERS}/erp:nobody`), 'dead_letter.not_found');
    expectProblem(await shop.ask('viewer', `GET ${LETTERS}/%00`), 'dead_letter.not_found');
  });

  test('400 for what cannot be', async () => {
    for (const query of ['kind=colour', 'from=yesterday', 'internal_id=7', 'cursor=nonsense', 'colour=red']) {
      expectProblem(await shop.ask('viewer', `GET ${LETTERS}?${query}`), 'request.invalid');
    }
    expectProblem(await repair('replays', { pace: 0 }), 'request.invalid');
    expectProblem(await repair('replays', { filter: { colour: 'red' } }), 'request.invalid');
    expectProblem(await repair('replays', { filter: [] }), 'request.invalid');
    expectProblem(await repair('replays', { filter: [{ target: 'nobody' }] }), 'request.invalid');
    expectProblem(await repair('replays', { reason: '' }), 'request.invalid');
  });

  test.each([LETTERS, `${LETTERS}/groups`, '/v1/events', '/v1/admin/audit'])(
    '400 for a time that the database cannot hold, in %s',
    async (route) => {
      for (const time of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59']) {
        const query = `from=${encodeURIComponent(time)}`;
        expectProblem(await shop.ask('operator', `GET ${route}?${query}`), 'request.invalid');
      }
      const farEast = encodeURIComponent('2025-01-01T00:00:00+23:59');
      expect((await shop.ask('operator', `GET ${route}?from=${farEast}`)).status).toBe(200);
    },
  );

  test.each([
    ['0000-01-01T00:00:00Z', 'a'],
    ['2025-01-01T00:00:00+23:59', 'a\u0000'],
    ['2025-01-01T00:00:00Z', '\u0000'],
  ])('400 for a cursor that is none: %j, %j', async (...place) => {
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url');
    expectProblem(await shop.ask('viewer', `GET ${LETTERS}?cursor=${cursor}`), 'request.invalid');
  });

  test('a dry run and a stale tag change nothing; a discard is audited without secrets', async () => {
    const [letter] = await letters('kind=delivery');
    const id = String(letter?.['letter_id']);
    expect((await repair(`${id}/discard`, { dry_run: true })).body).toMatchObject({ dry_run: true });
    expect((await repair(`${id}/replay`, { dry_run: true })).body).toMatchObject({
      dry_run: true,
      outcome: 'replayed',
    });
    expectProblem(await repair(`${id}/discard`, {}, { 'if-match': '"0-0"' }), 'dead_letter.changed');
    expect(await letters('kind=delivery')).toHaveLength(3);
    const reason = `Seen with ${SHOP_SECRETS.OPERATOR_KEY}.`;
    const done = await repair(`${id}/discard`, { reason }, { 'if-match': String(letter?.['etag']) });
    expect(done).toMatchObject({
      status: 200,
      body: { outcome: 'discarded', detail: expect.stringContaining('erp stays behind') },
    });
    expectProblem(await repair(`${id}/discard`, {}), 'dead_letter.not_found');
    const { body: audit } = await shop.ask('operator', `GET /v1/admin/audit?subject=${id}`);
    expect(audit?.['items']).toMatchObject([
      { actor: 'oscar', action: 'dead_letter.discard', reason: 'Seen with ***.' },
    ]);
    expect((await shop.ask('operator', 'GET /v1/admin/audit?actor=nobody&limit=1')).body).toEqual({ items: [] });
  });

  test('a webhook that still cannot be read stays, also in a dry run, and the wish is audited', async () => {
    const [letter] = await letters('kind=event');
    const id = String(letter?.['letter_id']);
    expect((await repair(`${id}/replay`, { dry_run: true })).body).toMatchObject({ status: 'DEAD', dry_run: true });
    expect((await repair(`${id}/replay`, {})).body).toMatchObject({
      status: 'DEAD',
      results: [{ verdict: 'unmatched' }],
    });
    const { body } = await shop.ask('operator', `GET /v1/admin/audit?subject=${id}`);
    expect(body?.['items']).toMatchObject([{ action: 'dead_letter.replay', after: { status: 'DEAD' } }]);
    expectProblem(await repair(`${id}/edit`, { payload: {} }), 'dead_letter.not_editable');
  });

  test('a bulk replay is counted first, begun, seen and cancelled', async () => {
    expect((await repair('replays', { dry_run: true, filter: { kind: 'delivery' } })).body).toEqual({
      dry_run: true,
      total: 2,
    });
    const begun = await repair('replays', { filter: { kind: 'delivery', code: 'none.such' } });
    expect(begun).toMatchObject({ status: 202, body: { status: 'running', total: 0, pace: 10 } });
    const id = String(begun.body?.['replay_id']);
    expect((await shop.ask('viewer', `GET ${LETTERS}/replays/${id}`)).body).toMatchObject({ replay_id: id });
    expect((await repair(`replays/${id}/cancel`, {})).status).toBe(200);
    expectProblem(await repair('replays/nobody/cancel', {}), 'replay.not_found');
  });

  test('Bull Board is for an admin key only, as a bearer token or a password, and for looking only', async () => {
    const open = async (path: string, headers: Record<string, string>, method = 'GET') =>
      fetch(`${shop.service.url}/admin/queues${path}`, { method, headers });
    const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`anybody:${key}`).toString('base64')}` });
    for (const path of ['', '/', '/api/queues', '/static/nothing.js']) {
      const nobody = await open(path, {});
      expect({ path, status: nobody.status }).toEqual({ path, status: 401 });
      expect(nobody.headers.get('www-authenticate')).toContain('Basic');
      expect((await open(path, CREDENTIALS.operator)).status).toBe(403);
    }
    expect((await open('/', basic(SHOP_SECRETS.OPERATOR_KEY))).status).toBe(403);
    const page = await open('/', basic(SHOP_SECRETS.ADMIN_KEY));
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('Crosswalk');
    const script = /"(static\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    expect((await open(`/${script}`, basic(SHOP_SECRETS.ADMIN_KEY))).status).toBe(200);
    const queues = (await (await open('/api/queues', CREDENTIALS.admin)).json()) as { queues: { name: string }[] };
    expect(queues.queues.map(({ name }) => name).toSorted()).toEqual(['deliver-erp', 'deliver-wms', 'event-retries']);
    expect((await open('/api/queues/deliver-erp/pause', CREDENTIALS.admin, 'PUT')).status).toBe(403);
  });

  testThatAnswersAreDescribed(shop);
});
