import { describe, expect, test } from '@jest/globals';
import { named } from '../../../test/support/contract-from.js';
import { webhookOf } from '../../../test/support/message-of.js';
import { spineContract } from '../../../test/support/spine-contract.js';
import type { ReceivedEvent } from '../event.js';
import { readJson } from '../json/read-json.js';
import type { Reception } from './complete-event.js';
import { readEnvelope } from './read-envelope.js';
import { readWebhook, type ReadWebhook } from './read-webhook.js';

const contract = spineContract();
const reception: Reception = {
  contract,
  source: named(contract.systems, 'crm'),
  correlationId: 'ours',
  traceparent: undefined,
  nowMicros: BigInt(Date.UTC(2025, 0, 1, 12)) * 1000n,
};

const read = (text: string): ReadWebhook => readWebhook(webhookOf(text), reception);

function eventOf(text: string): ReceivedEvent {
  const webhook = read(text);
  if (webhook.kind === 'event') return webhook.event;
  throw new Error(JSON.stringify(webhook));
}

const CUSTOMER = '{"type":"customer","live":true,"id":"C-1","version":17}';

describe('a webhook', () => {
  test('is read by the first rule whose conditions all hold, and kept as it was written', () => {
    expect(eventOf(CUSTOMER)).toMatchObject({
      source: 'crm',
      eventType: 'customer.updated',
      idempotencyKey: 'customer:C-1:v17',
      entity: { system: 'crm', type: 'customer', externalId: 'C-1', rawExternalId: 'C-1' },
      version: '17',
      correlationId: 'ours',
      payload: CUSTOMER,
    });
  });

  test('with an id as a number or with blanks around it is the same fact', () => {
    const asText = eventOf('{"type":"customer","live":"yes","id":"450789469","version":"17"}');
    const asNumber = eventOf('{"type":"customer","live":"yes","id":450789469,"version":17}');
    const padded = eventOf('{"type":"customer","live":"yes","id":" 450789469 ","version":17}');
    for (const { idempotencyKey, fingerprint, entity } of [asNumber, padded]) {
      expect({ idempotencyKey, fingerprint, externalId: entity.externalId }).toEqual({
        idempotencyKey: asText.idempotencyKey,
        fingerprint: asText.fingerprint,
        externalId: '450789469',
      });
    }
    expect(padded.entity.rawExternalId).toBe(' 450789469 ');
  });

  test('whose number is printed with another scale is the same fact', () => {
    const [plain, scaled] = [CUSTOMER.replace('"C-1"', '100'), CUSTOMER.replace('"C-1"', '100.00')].map(eventOf);
    expect(scaled?.idempotencyKey).toBe(plain?.idempotencyKey);
    expect(scaled?.fingerprint).toBe(plain?.fingerprint);
  });

  test('keeps the digits of a large id in its key', () => {
    expect(eventOf(CUSTOMER.replace('"C-1"', '9007199254740993')).idempotencyKey).toBe('customer:9007199254740993:v17');
  });

  test('encodes what joins the parts of a composed id and key', () => {
    const { entity } = eventOf('{"type":"stock","key":"a:b","sku":"A:1","warehouse":"W%","at":"2025-01-01T00:00:00Z"}');
    expect(entity).toMatchObject({ externalId: 'A%3A1:W%25', rawExternalId: 'A%3A1:W%25' });
  });

  test('takes a key that is one pointer alone as the sender wrote it', () => {
    const text = '{"type":"any","key":"customer:C-1:v17","entity_type":"customer","id":"C-1","version":17}';
    expect(eventOf(text).idempotencyKey).toBe('customer:C-1:v17');
  });

  test('names its process where the rule says so and the name is harmless', () => {
    expect(eventOf(CUSTOMER.replace('}', ',"process":"order-7"}')).correlationId).toBe('order-7');
    expect(eventOf(CUSTOMER.replace('}', ',"process":"a\\nb"}')).correlationId).toBe('ours');
  });

  test('is the same event as an envelope that carries it as payload', () => {
    const text = '{"type":"any","key":"customer:C-1:v17","entity_type":"customer","id":"C-1","version":17}';
    const envelope = `{"idempotency_key":"customer:C-1:v17","event_type":"entity.updated","version":17,
      "entity":{"type":"customer","external_id":"C-1"},"payload":${text}}`;
    const { value, sources } = readJson(envelope, 'payload');
    const input = { envelope: value, payloadSources: sources, headerKey: undefined };
    expect(readEnvelope(input, reception)).toEqual(eventOf(text));
  });
});

describe('a webhook is kept unread', () => {
  test.each([
    ['no rule’s condition holds', '{"type":"other"}', 'webhook.unmatched'],
    ['only some conditions of a rule hold', CUSTOMER.replace('true', 'false'), 'webhook.unmatched'],
    ['a condition’s value is absent', '{}', 'webhook.unmatched'],
    ['it is a list', '[]', 'webhook.unmatched'],
    ['it is a scalar', '"customer"', 'webhook.unmatched'],
    ['its id is absent', '{"type":"customer","live":true,"version":17}', 'webhook.unmatched'],
    ['its id is null', CUSTOMER.replace('"C-1"', 'null'), 'webhook.unmatched'],
    ['its id is an object', CUSTOMER.replace('"C-1"', '{}'), 'webhook.unmatched'],
    ['its id is blank', CUSTOMER.replace('"C-1"', '"  "'), 'webhook.unmatched'],
    ['its id is too long', CUSTOMER.replace('C-1', 'x'.repeat(256)), 'id.invalid'],
    ['its id holds NUL', CUSTOMER.replace('C-1', '\\u0000'), 'id.invalid'],
    ['its key is unusable', '{"type":"any","key":" k","entity_type":"customer","id":1,"version":1}', 'key.invalid'],
    ['its version is no number', CUSTOMER.replace('17', '"v17"'), 'version.invalid'],
    ['its time is none', CUSTOMER.replace('}', ',"at":"noon"}'), 'occurred_at.invalid'],
    ['its time lies ahead', CUSTOMER.replace('}', ',"at":"2026-01-01T00:00:00Z"}'), 'occurred_at.in_future'],
    ['it lacks the time that orders it', '{"type":"stock","key":"k","sku":1,"warehouse":1}', 'occurred_at.invalid'],
    [
      'it lacks the version that orders it',
      '{"type":"any","key":"k","entity_type":"customer","id":1}',
      'version.invalid',
    ],
    ['its entity type is unknown', '{"type":"any","key":"k","entity_type":"x","id":1}', 'entity_type.unknown'],
    ['its entity type has no order', '{"type":"any","key":"k","entity_type":"payment","id":1}', 'entity_type.mismatch'],
  ])('when %s', (_what, text, code) => {
    expect(read(text)).toEqual({ kind: 'unmatched', code, reason: expect.stringMatching(/./) });
  });

  test('with the pointer that led nowhere', () => {
    const webhook = read('{"type":"customer","live":true,"id":"C-1"}');
    expect(webhook).toMatchObject({ kind: 'unmatched', reason: expect.stringContaining('/version') });
  });
});
