import { describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { serveShop, testThatAnswersAreDescribed } from './shop-api.js';

/** As a sender prints them; a double would make 9007199254740992, 100 and 1e+400 of the first three. */
const NUMBERS = '{"big":9007199254740993,"scaled":100.00,"huge":1e400,"small":0.1000,"negative":-0.0,"list":[1.10,2]}';

describe('numbers keep their digits and their scale', () => {
  const shop = serveShop();

  test('in the event, the record and the entity, however the event came', async () => {
    const envelope = `{"idempotency_key":"exact","event_type":"customer.updated",
      "entity":{"type":"customer","external_id":9007199254740993},"version":12345678901234567890,"payload":${NUMBERS}}`;
    const { body } = await shop.ask('crm', 'POST /v1/events', { body: envelope });
    const route = `GET /v1/events/${String(body?.['event_id'])}`;
    const internalId = await eventually(async () => {
      const event = await shop.ask('viewer', route);
      expect(event.body).toMatchObject({ status: 'COMPLETED' });
      expect(event.text).toContain(`"payload":${NUMBERS}`);
      expect(event.body).toMatchObject({
        version: '12345678901234567890',
        entity: { external_id: '9007199254740993' },
      });
      return String(event.body?.['internal_id']);
    });
    const { text } = await shop.ask('viewer', `GET /v1/entities/customer/${internalId}`);
    expect(text.split(`"data":${NUMBERS}`)).toHaveLength(1 + 2);
    expect(text).toContain('"order_value":"12345678901234567890"');
  });

  test('and a payload keeps its blanks, as a webhook and in a batch', async () => {
    const webhook = `{ "event_type": "customer.updated", "customer_id": "C-1",\n "version": 3, "limit": 100.00 }`;
    const ofWebhook = await shop.ask('crm', 'POST /v1/webhooks/crm', { body: webhook });
    const payload = `{ "limit" : 100.00,"n":9007199254740993 }`;
    const batch = `[{"idempotency_key":"b","event_type":"customer.updated","version":1,"payload":${payload},
      "entity":{"type":"customer","external_id":"C-2"}}]`;
    const ofBatch = await shop.ask('crm', 'POST /v1/events/batch', { body: batch });
    const [item] = ofBatch.body?.['results'] as readonly Record<string, unknown>[];
    for (const [eventId, sent] of [
      [ofWebhook.body?.['event_id'], webhook],
      [item?.['event_id'], payload],
    ] as const) {
      const { text } = await shop.ask('viewer', `GET /v1/events/${String(eventId)}`);
      expect(text).toContain(`"payload":${sent}`);
    }
  });

  test('and the same value in another spelling is the same content', async () => {
    const respelt = '{"scaled":1e2,"big":9007199254740993.0,"huge":10e399,"small":0.1,"negative":0,"list":[1.1,2]}';
    const answer = await shop.ask('crm', 'POST /v1/events', {
      body: `{"idempotency_key":"exact","event_type":"customer.updated","version":"12345678901234567890",
              "entity":{"type":"customer","external_id":"9007199254740993"},"payload":${respelt}}`,
    });
    expect(answer.body).toMatchObject({ verdict: 'duplicate' });
    const offByOne = respelt.replace('740993.0', '740992');
    const other = await shop.ask('crm', 'POST /v1/events', {
      body: `{"idempotency_key":"exact","event_type":"customer.updated","version":"12345678901234567890",
              "entity":{"type":"customer","external_id":"9007199254740993"},"payload":${offByOne}}`,
    });
    expect(other.body).toMatchObject({ verdict: 'conflict' });
  });

  testThatAnswersAreDescribed(shop);
});
