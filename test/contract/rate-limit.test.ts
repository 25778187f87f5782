import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SHOP_FILE } from '../support/shop-contract.js';
import { testRunFolder } from '../support/test-run.js';
import { customerEnvelope } from './envelope.js';
import { expectProblem } from './expect-problem.js';
import { serveShop, testThatAnswersAreDescribed, type Answer } from './shop-api.js';

/** An hour and a day, so that nothing comes back while the suite runs, however slow the machine is. */
const LIMITS = {
  crm: 'rate_limit: { max: 2, per: 1h }',
  erp: 'rate_limit: { max: 3, per: 24h }',
  wms: 'rate_limit: { max: 1, per: 1h }',
} as const;

describe('a system with a rate limit', () => {
  const shop = serveShop({ CROSSWALK_CONFIG: limitedShop() });

  function expectRefused(answer: Answer, retryAfterSeconds: { readonly min: number; readonly max: number }): void {
    expectProblem(answer, 'door.rate_limited');
    const text = answer.headers.get('retry-after') ?? '';
    expect(text).toMatch(/^[1-9][0-9]*$/);
    expect(Number(text)).toBeGreaterThan(retryAfterSeconds.min);
    expect(Number(text)).toBeLessThanOrEqual(retryAfterSeconds.max);
  }

  test('is told 429 beyond it, on every way in and before its body is read; nothing of it is stored', async () => {
    const sendEvent = async (id: string): Promise<Answer> =>
      shop.ask('crm', 'POST /v1/events', { body: customerEnvelope(id) });
    for (let stranger = 0; stranger < 5; stranger++) {
      const forged = { body: customerEnvelope('forged'), headers: { 'x-crosswalk-source': 'crm' } };
      expectProblem(await shop.ask('nobody', 'POST /v1/events', forged), 'auth.failed');
      expectProblem(await shop.ask('erp', 'POST /v1/webhooks/crm', { body: {} }), 'auth.failed');
    }
    expect((await sendEvent('L-1')).status).toBe(202);
    expect((await sendEvent('L-1')).status).toBe(200);

    const halfAnHour = { min: 0, max: 1_800 };
    expectRefused(await sendEvent('L-2'), halfAnHour);
    expectRefused(await shop.ask('crm', 'POST /v1/events?by=framework', { body: 'no JSON' }), halfAnHour);
    expectRefused(await shop.ask('crm', 'POST /v1/events/batch', { body: 'no JSON' }), halfAnHour);
    expectRefused(await shop.ask('crm', 'POST /v1/webhooks/crm', { body: 'no JSON' }), halfAnHour);
    expect(await shop.query('SELECT external_id FROM events')).toEqual([{ external_id: 'L-1' }]);
  });

  test('pays for each event of a batch, which is taken whole; the others pay nothing', async () => {
    const batch = Array.from({ length: 6 }, (_, at) => customerEnvelope(`B-${at}`));
    const taken = await shop.ask('erp', 'POST /v1/events/batch', { body: batch });
    expect(taken.body?.['results']).toEqual(batch.map(() => expect.objectContaining({ verdict: 'accepted' })));
    // Six taken, three at once allowed: one is allowed again when four are paid off, a third of a day each.
    const refused = await shop.ask('erp', 'POST /v1/events', { body: customerEnvelope('B-7') });
    expectRefused(refused, { min: 86_400, max: 4 * 28_800 });
    expect((await shop.ask('wms', 'POST /v1/events', { body: customerEnvelope('W-1') })).status).toBe(202);
  });

  testThatAnswersAreDescribed(shop);
});

function limitedShop(): string {
  const text = readFileSync(SHOP_FILE, 'utf8').replaceAll(
    /^  (crm|erp|wms):\n    ingest:\n/gm,
    (lines, name: string) => {
      return `${lines}      ${LIMITS[name as keyof typeof LIMITS]}\n`;
    },
  );
  const file = join(mkdtempSync(join(testRunFolder(), 'limited-')), 'shop.yaml');
  writeFileSync(file, text);
  return file;
}
