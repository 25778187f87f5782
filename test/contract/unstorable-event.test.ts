import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { testRunFolder } from '../support/test-run.js';
import { expectProblem } from './expect-problem.js';
import { CREDENTIALS, serveShop, testThatAnswersAreDescribed } from './shop-api.js';

/**
 * So many systems share the keys of one fact that scope and key together are longer than PostgreSQL can index. Their
 * names are random, because what repeats itself is compressed until it fits.
 */
const PARTNERS = Array.from({ length: 12 }, (_, at) => `partner-${at}-${randomBytes(25).toString('hex')}`);
const PARTNER_KEYS = Object.fromEntries(PARTNERS.map((_name, at) => [`PARTNER_KEY_${at}`, `partner-key-${at}`]));
const CONTRACT = `
systems:
  crm:
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_API_KEY}'] }
      webhooks:
        - event_type: fact.reported
          idempotency_key: '{/key}'
          entity: { type: fact, external_id: '{/id}' }
${PARTNERS.map((name, at) => `  ${name}: { ingest: { auth: { scheme: api-key, secrets: ['\${PARTNER_KEY_${at}}'] } } }`).join('\n')}
entities:
  fact: { order_by: arrival }
events:
  fact.reported: { entity: fact, strategy: ignore, scope: { shared: [crm, ${PARTNERS.join(', ')}] } }
access:
  - { name: eve, role: viewer, key: '\${VIEWER_KEY}' }
`;

describe('an event that PostgreSQL refuses to store', () => {
  const folder = mkdtempSync(join(testRunFolder(), 'unstorable-'));
  const file = join(folder, 'crosswalk.yaml');
  writeFileSync(file, CONTRACT);
  const shop = serveShop({ CROSSWALK_CONFIG: file, ...PARTNER_KEYS });
  const key = randomBytes(1024).toString('hex');

  test('is refused with its code on POST /v1/events', async () => {
    const entity = { type: 'fact', external_id: 'F-1' };
    const envelope = { idempotency_key: key, event_type: 'fact.reported', entity, payload: {} };
    expectProblem(await shop.ask('crm', 'POST /v1/events', { body: envelope }), 'event.unstorable');
    const good = { ...envelope, idempotency_key: 'short' };
    expect((await shop.ask('crm', 'POST /v1/events', { body: good })).status).toBe(202);
  });

  test('is answered 200 and kept as a dead letter where it came as a webhook', async () => {
    const body = { key, id: 'F-2' };
    const answer = await shop.ask('nobody', 'POST /v1/webhooks/crm', { body, headers: CREDENTIALS.crm });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 200,
      body: { verdict: 'unmatched', reason_code: 'event.unstorable' },
    });
  });

  testThatAnswersAreDescribed(shop);
});
