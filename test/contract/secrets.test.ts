import { describe, expect, test } from '@jest/globals';
import { signWebhook } from '../../examples/sign-webhook.js';
import { SHOP_SECRETS } from '../support/shop-contract.js';
import { eventually } from '../support/eventually.js';
import { holdLock } from '../support/hold-lock.js';
import { customerEnvelope } from './envelope.js';
import { CREDENTIALS, serveShop, type Question } from './shop-api.js';

const FORGED = { bearer: 'forged-bearer-4f1d', apiKey: 'forged-api-key-77aa', basic: 'Zm9yZ2VkOnBhc3N3b3Jk' };

describe('secrets appear nowhere', () => {
  const shop = serveShop({ LOG_LEVEL: 'trace' });

  test('neither those of the contract nor any that was shown: in logs, answers, traces, or the database', async () => {
    const shown = await provokeEverything();
    const answers = shop.answers.map(({ answer }) => answer.text).join('\n');
    const databasePassword = decodeURIComponent(new URL(shop.databaseUrl).password);
    const [dump] = await shop.query<{ text: string }>(
      `SELECT (SELECT string_agg(to_jsonb(trace)::text, ' ') FROM trace) ||
              (SELECT string_agg(to_jsonb(work)::text, ' ') FROM work) ||
              (SELECT string_agg(to_jsonb(events)::text, ' ') FROM events) ||
              (SELECT string_agg(to_jsonb(audit)::text, ' ') FROM audit) ||
              (SELECT string_agg(to_jsonb(contracts)::text, ' ') FROM contracts) AS text`,
    );
    const places = { logs: shop.service.output(), answers, dump: dump?.text ?? '' };
    // Each place has something in it: an empty one would hide nothing.
    expect(places.logs).toContain('event.received');
    expect(places.logs).toContain('request.refused');
    expect(places.answers).toContain('auth.failed');
    expect(places.dump).toContain('webhook.unmatched');
    // The contract is kept, and shown, with the names of its variables.
    expect(places.dump).toContain('${CRM_API_KEY}');
    expect(places.answers).toContain('${CRM_API_KEY}');

    const secrets = [...Object.values(SHOP_SECRETS), ...Object.values(FORGED), ...shown, databasePassword]
      .filter((secret) => secret !== '')
      .flatMap((secret) => [secret, secret.replace(/^whsec_/, '')]);
    for (const [place, text] of Object.entries(places)) {
      expect({ place, found: secrets.filter((secret) => text.includes(secret)) }).toEqual({ place, found: [] });
    }
  });

  /** What people write beside a repair is kept, and shown to everybody who may read a trace. */
  async function repairWithSecrets(reason: string): Promise<void> {
    const ask = async (route: string, body: object) => shop.ask('admin', route, { body });
    const { body } = await shop.ask('admin', 'GET /v1/admin/dead-letters?code=webhook.unmatched');
    const [letter] = body?.['items'] as readonly Record<string, unknown>[];
    const path = `POST /v1/admin/dead-letters/${String(letter?.['letter_id'])}`;
    await ask(`${path}/replay`, { reason });
    await ask('POST /v1/admin/dead-letters/replays', { reason, filter: { target: 'wms' } });
    await ask(`${path}/discard`, { reason });
    await shop.ask('admin', 'GET /v1/admin/audit');
  }

  /** Good and bad requests with every kind of credential, and a failure inside; resolves to the signatures shown. */
  async function provokeEverything(): Promise<readonly string[]> {
    const body = JSON.stringify({ event_type: 'customer.updated', customer_id: 'C-1', version: 1, name: 'Ada' });
    const signed = signWebhook(SHOP_SECRETS.CRM_WEBHOOK_SECRET, body, new Date());
    const send = async (route: string, question: Question): Promise<unknown> => shop.ask('nobody', route, question);
    await send('POST /v1/webhooks/crm', { body, headers: signed });
    await send('POST /v1/webhooks/crm', { body: `${body} `, headers: signed });
    await send('POST /v1/webhooks/crm', { body: '{"not":"known"}', headers: CREDENTIALS.crm });
    await send('POST /v1/webhooks/crm', { body: '{broken', headers: CREDENTIALS.crm });
    for (const headers of [
      { authorization: `Bearer ${FORGED.bearer}` },
      { authorization: `Basic ${FORGED.basic}` },
      { 'x-api-key': FORGED.apiKey },
      CREDENTIALS.erp,
      CREDENTIALS.viewer,
      CREDENTIALS.admin,
    ]) {
      await send('POST /v1/events', { body: customerEnvelope('C-2'), headers });
      await send('GET /v1/events?status=DEAD', { headers });
      await send('GET /v1/admin/conflicts', { headers });
      await send('GET /v1/admin/contracts/1', { headers });
      await send('PUT /v1/mappings', { body: '{}', headers });
      await send('GET /v1/nothing/here', { headers });
    }
    await repairWithSecrets(Object.values(SHOP_SECRETS).join(' '));
    const frozen = await holdLock(shop.databaseUrl, 'LOCK TABLE conflicts IN ACCESS EXCLUSIVE MODE');
    await send('GET /v1/admin/conflicts', { headers: CREDENTIALS.operator });
    await frozen.release();
    await eventually(async () => {
      const events = await shop.ask('viewer', 'GET /v1/events?entity=crm:customer:C-1');
      const [event] = events.body?.['items'] as readonly Record<string, unknown>[];
      const whole = await shop.ask('viewer', `GET /v1/events/${String(event?.['event_id'])}`);
      expect(whole.body).toMatchObject({ deliveries: [{ status: 'dead' }] });
    });
    return [signed['webhook-signature'] ?? '', (signed['webhook-signature'] ?? '').slice('v1,'.length)];
  }
});
