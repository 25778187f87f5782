import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { SHOP_FILE } from '../support/shop-contract.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

describe('/v1/admin/contracts', () => {
  const shop = serveShop();
  const text = readFileSync(SHOP_FILE, 'utf8');
  const ask = async (path: string): Promise<Answer> => shop.ask('operator', `GET /v1/admin/contracts${path}`);
  const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex');
  const later = text.replace(':v{/version}', '').replace('300ms', '400ms');

  const first = {
    number: 1,
    is_active: false,
    hash: hashOf(text),
    first_active_at: expect.stringMatching(/Z$/),
    active_since: expect.stringMatching(/Z$/),
  };
  const second = {
    ...first,
    number: 2,
    is_active: true,
    hash: hashOf(later),
    accepted_by: 'ada',
    accepted_at: expect.stringMatching(/Z$/),
    accepted_against: 1,
  };

  beforeAll(async () => {
    // As a process with a later contract would, while this one goes on with its own.
    await shop.query(
      `INSERT INTO contracts (number, hash, text, activation, accepted_by, accepted_at, accepted_against)
       VALUES (2, $1, $2, 2, 'ada', now(), 1)`,
      [hashOf(later), later],
    );
  });

  test('200: all of them, the newest first', async () => {
    expect(await ask('')).toMatchObject({ status: 200, body: { items: [second, first] } });
  });

  test('200: one with its text, as the file has it', async () => {
    expect((await ask('/1')).body).toEqual({ ...first, text });
    expect((await ask('/2')).body).toEqual({ ...second, text: later });
  });

  test.each(['/2/diff', '/2/diff?against=1'])('200: what it changed, as data and in words: %s', async (path) => {
    expect((await ask(path)).body).toEqual({
      number: 2,
      against: 1,
      changes: [
        {
          kind: 'key_template',
          path: 'systems.crm.ingest.webhooks[0].idempotency_key',
          line: expect.any(Number),
          before: 'customer:{/customer_id}:v{/version}',
          after: 'customer:{/customer_id}',
          is_dangerous: true,
          summary:
            'systems.crm.ingest.webhooks[0].idempotency_key: ' +
            'customer:{/customer_id}:v{/version} became customer:{/customer_id}',
          meaning: expect.stringContaining('a second time'),
        },
        {
          kind: 'other',
          path: 'settings.sweep_every',
          line: expect.any(Number),
          before: '300ms',
          after: '400ms',
          is_dangerous: false,
          summary: 'settings.sweep_every: 300ms became 400ms',
        },
      ],
    });
  });

  test('200: the way back, and nothing against itself', async () => {
    const back = (await ask('/1/diff?against=2')).body?.['changes'];
    expect(back).toMatchObject([{ before: 'customer:{/customer_id}' }, { after: '300ms' }]);
    expect((await ask('/2/diff?against=2')).body).toEqual({ number: 2, against: 2, changes: [] });
  });

  test('an event says which contract read and decided it: that of its process, and not the active one', async () => {
    const envelope = {
      idempotency_key: 'payment:P-1',
      event_type: 'payment.completed',
      entity: { type: 'payment', external_id: 'P-1' },
      payload: {},
    };
    const sent = await shop.ask('crm', 'POST /v1/events', { body: envelope });
    const event = await shop.ask('viewer', `GET /v1/events/${String(sent.body?.['event_id'])}`);
    expect(event.body).toMatchObject({ contract: { read: 1 } });
  });

  test.each(['/3', '/0', '/1x', '/99999999999', '/%00', '/3/diff', '/1/diff?against=7', '/2/diff?against=x'])(
    '404 for %s',
    async (path) => {
      expectProblem(await ask(path), 'contract.not_found');
    },
  );

  test.each(['?limit=5', '/1?colour=red', '/1/diff', '/2/diff?colour=red'])('400 for %s', async (path) => {
    expectProblem(await ask(path), 'request.invalid');
  });

  test('401 without a key, 403 for a viewer', async () => {
    for (const path of ['', '/1', '/2/diff']) {
      expectProblem(await shop.ask('nobody', `GET /v1/admin/contracts${path}`), 'auth.failed');
      expectProblem(await shop.ask('viewer', `GET /v1/admin/contracts${path}`), 'access.denied');
    }
  });

  testThatAnswersAreDescribed(shop);
});
