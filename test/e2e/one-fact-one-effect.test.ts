import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signWebhook } from '../../examples/sign-webhook.js';
import type { Answer } from '../support/crosswalk-client.js';
import { CREDENTIALS, Installation } from '../support/installation.js';

/** What the CRM sends, as it stands, and the envelope by which the same fact is handed to `/v1/events`. */
const FACTS = [
  {
    name: 'a payment',
    webhook: `{"idempotent_key":"PAY-20240315-0042:PAID","event_type":"payment.completed","payment_id":"PAY-20240315-0042","status":"PAID","amount":1299.00}`,
    envelope: `"idempotency_key":"PAY-20240315-0042:PAID","event_type":"payment.completed","entity":{"type":"payment","external_id":"PAY-20240315-0042"}`,
  },
  {
    name: 'a stock movement',
    webhook: `{"idempotent_key":"SKU-8823:WH-SZ-01:BATCH-20240315-003","event_type":"inventory.adjusted","sku":"SKU-8823","warehouse":"WH-SZ-01","batch":"BATCH-20240315-003","delta":-5}`,
    envelope: `"idempotency_key":"SKU-8823:WH-SZ-01:BATCH-20240315-003","event_type":"inventory.adjusted","entity":{"type":"stock","external_id":"SKU-8823:WH-SZ-01"}`,
  },
  {
    name: 'a customer update whose entity type stands in the body',
    webhook: `{"idempotent_key":"customer:C-10042:v17","event_type":"entity.updated","entity_type":"customer","entity_id":"C-10042","version":17}`,
    envelope: `"idempotency_key":"customer:C-10042:v17","event_type":"entity.updated","entity":{"type":"customer","external_id":"C-10042"},"version":17`,
  },
] as const;

/** The sample contract, one process, no Redis: what a first try runs on. */
describe('one fact, sent by webhook and as an event, has one effect', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({ contract: 'config/crosswalk.yaml', roles: ['all'] });
  });

  afterAll(() => crosswalk.stop());

  /** Every sending is signed anew, with a message id of its own. */
  function sendSigned(body: string): Promise<Answer> {
    const headers = signWebhook(CREDENTIALS.CRM_WEBHOOK_SECRET, body, new Date());
    return crosswalk.client().sendWebhook('crm', body, headers);
  }

  function sendAsEvent(envelope: string, payload: string): Promise<Answer> {
    return crosswalk.client().sendEvent(`{${envelope},"payload":${payload}}`, { 'x-api-key': CREDENTIALS.CRM_API_KEY });
  }

  function sendAsSignedEvent(envelope: string, payload: string): Promise<Answer> {
    const body = `{${envelope},"payload":${payload}}`;
    const signature = signWebhook(CREDENTIALS.CRM_WEBHOOK_SECRET, body, new Date());
    return crosswalk.client().sendEvent(body, { ...signature, 'x-crosswalk-source': 'crm' });
  }

  test.each(FACTS)('$name: the webhook is applied, every further sending is a duplicate of it', async (fact) => {
    const { webhook, envelope } = fact;
    const first = await sendSigned(webhook);
    expect(first).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    const eventId = first.body.event_id ?? '';
    const atOnce = await sendAsEvent(envelope, webhook);
    await crosswalk.idle();

    const repeats = [
      atOnce,
      await sendSigned(webhook),
      await sendAsEvent(envelope, webhook),
      await sendAsSignedEvent(envelope, webhook),
      await sendSigned(webhook),
    ];
    for (const repeat of repeats) {
      expect(repeat).toMatchObject({ status: 200, body: { verdict: 'duplicate', event_id: eventId } });
    }
    expect(repeats.at(-1)?.body).toMatchObject({ status: 'COMPLETED', outcome: 'applied' });
    expect(await crosswalk.client().event(eventId)).toMatchObject({ status: 'COMPLETED', outcome: 'applied' });
  });

  test('the event comes first, its webhook is the duplicate', async () => {
    for (const fact of FACTS) {
      const [webhook, envelope] = [fact.webhook, fact.envelope].map((text) => text.replaceAll(/0042|8823/g, '7$&'));
      const first = await sendAsEvent(envelope ?? '', webhook ?? '');
      expect(first).toMatchObject({ status: 202, body: { verdict: 'accepted' } });
      const second = await sendSigned(webhook ?? '');
      expect(second).toMatchObject({ status: 200, body: { verdict: 'duplicate', event_id: first.body.event_id } });
    }
  });

  test('each fact is one event with one end, and one record at each target that wants it', async () => {
    await crosswalk.idle();
    expect(await crosswalk.count('FROM events')).toBe(6);
    expect(await crosswalk.count(`FROM trace WHERE status = 'COMPLETED' AND outcome = 'applied'`)).toBe(6);
    expect(await crosswalk.count('FROM entities')).toBe(6);
    for (const [system, collections] of [
      [crosswalk.erp, ['payments', 'customers']],
      [crosswalk.wms, ['stock', 'customers']],
    ] as const) {
      for (const collection of collections) {
        const records = await system.records(collection);
        expect(records.map(({ writes }) => writes)).toEqual([1, 1]);
      }
      const calls = await system.calls();
      expect(calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'POST']);
    }
  });

  test('1299.00 reaches the ERP as 1299.00', async () => {
    const [payment] = await crosswalk.erp.records('payments');
    expect(await crosswalk.erp.rawBody('payments', payment?.id ?? '')).toMatch(/"amount":1299\.00[,}]/);
  });
});
