import { describe, expect, test } from '@jest/globals';
import { named } from '../../../test/support/contract-from.js';
import { refusalOf } from '../../../test/support/refusal.js';
import { spineContract } from '../../../test/support/spine-contract.js';
import type { ReceivedEvent } from '../event.js';
import { readJson } from '../json/read-json.js';
import type { Reception } from './complete-event.js';
import { readEnvelope } from './read-envelope.js';

const contract = spineContract();
const reception: Reception = {
  contract,
  source: named(contract.systems, 'crm'),
  correlationId: 'ours',
  traceparent: undefined,
  nowMicros: BigInt(Date.UTC(2025, 0, 1, 12)) * 1000n,
};

function read(text: string, headerKey?: string): ReceivedEvent {
  const { value: envelope, sources } = readJson(text, 'payload');
  return readEnvelope({ envelope, payloadSources: sources, headerKey }, reception);
}

/** A good envelope with some parts replaced; a part given as undefined is left out. Values are JSON text. */
function envelope(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const parts: Readonly<Record<string, string | undefined>> = {
    idempotency_key: '"customer:C-1:v17"',
    event_type: '"customer.updated"',
    entity: '{"type":"customer","external_id":"C-1"}',
    version: '17',
    payload: '{ "full_name" : "Ada", "n": 1.00 }',
    ...changes,
  };
  const members = Object.entries(parts).flatMap(([name, text]) =>
    text === undefined ? [] : [`${JSON.stringify(name)}:${text}`],
  );
  return `{${members.join(',')}}`;
}

describe('an envelope', () => {
  test('is read, and its payload kept as it was written', () => {
    expect(read(envelope({ correlation_id: '"process-7"', occurred_at: '"2025-01-01T19:00:00+08:00"' }))).toMatchObject(
      {
        source: 'crm',
        eventType: 'customer.updated',
        idempotencyKey: 'customer:C-1:v17',
        entity: { system: 'crm', type: 'customer', externalId: 'C-1' },
        version: '17',
        occurredAtMicros: BigInt(Date.UTC(2025, 0, 1, 11)) * 1000n,
        correlationId: 'process-7',
        payload: '{ "full_name" : "Ada", "n": 1.00 }',
      },
    );
  });

  test('may name other ids of its entity, and ours', () => {
    const links = '[{"system":"erp","external_id":456},{"system":"crm","external_id":"C-1"}]';
    const internalId = '01890A5D-B1C2-7D11-8A41-6F0F7D0C1E2A';
    const entity = `{"type":"customer","external_id":"C-1","internal_id":"${internalId}"}`;
    expect(read(envelope({ links, entity })).links).toEqual({
      others: [{ system: 'erp', type: 'customer', externalId: '456', rawExternalId: '456' }],
      internalId: internalId.toLowerCase(),
    });
  });

  test.each(['null', '[]'])('says nothing about other ids with %s for links', (links) => {
    expect(read(envelope({ links }))).toEqual(read(envelope()));
  });

  test('keeps the outer payload where there is one inside it', () => {
    expect(read(envelope({ payload: '{"payload":{"x":1}}' })).payload).toBe('{"payload":{"x":1}}');
  });

  test.each([
    ['9007199254740993', '9007199254740993'],
    ['100.00', '100'],
    ['" 7 "', '7'],
    ['0', '0'],
  ])('has the id %s by the text %s', (text, externalId) => {
    const entity = `{"type":"customer","external_id":${text}}`;
    expect(read(envelope({ entity })).entity.externalId).toBe(externalId);
  });

  test('is about an id of another system where it says so', () => {
    const entity = '{"type":"customer","external_id":"E-1","system":"erp"}';
    expect(read(envelope({ entity })).entity.system).toBe('erp');
  });

  test.each([['17'], ['"17"'], ['"017"']])('has the version %s as digits', (version) => {
    expect(read(envelope({ version })).version).toBe('17');
  });

  test('takes its key from the header, from within, or from both if they agree', () => {
    expect(read(envelope({ idempotency_key: undefined }), 'k').idempotencyKey).toBe('k');
    expect(read(envelope({ idempotency_key: 'null' }), 'k').idempotencyKey).toBe('k');
    expect(read(envelope({ idempotency_key: '"k"' }), 'k').idempotencyKey).toBe('k');
  });

  test('with a correlation id that could break a log line gets ours instead', () => {
    expect(read(envelope({ correlation_id: '"a\\nb"' })).correlationId).toBe('ours');
    expect(read(envelope()).correlationId).toBe('ours');
  });

  test('may name parts that are not acted on yet, as long as it leaves them empty', () => {
    expect(read(envelope({ links: 'null', retry: 'null', expected_current_state: 'null' })).version).toBe('17');
  });

  test('reads null for an optional part as its absence', () => {
    const event = read(envelope({ event_type: '"customer.noted"', version: 'null', occurred_at: 'null' }));
    expect(event).toMatchObject({ version: undefined, occurredAtMicros: undefined });
  });
});

describe('an envelope is refused', () => {
  const entityWith = (members: string): Readonly<Record<string, string>> => ({ entity: `{${members}}` });

  test.each([
    ['without a key', { idempotency_key: undefined }, 'key.missing', '/idempotency_key'],
    ['with a key that is no text', { idempotency_key: '7' }, 'envelope.invalid', '/idempotency_key'],
    ['with an empty key', { idempotency_key: '""' }, 'key.invalid', '/idempotency_key'],
    ['without an event type', { event_type: undefined }, 'envelope.invalid', '/event_type'],
    ['with an event type that is no text', { event_type: '["x"]' }, 'envelope.invalid', '/event_type'],
    ['with an unknown event type', { event_type: '"x"' }, 'event_type.unknown', '/event_type'],
    ['without an entity', { entity: undefined }, 'envelope.invalid', '/entity'],
    ['with a list for an entity', { entity: '[]' }, 'envelope.invalid', '/entity'],
    ['without an entity type', entityWith('"external_id":"C-1"'), 'envelope.invalid', '/entity/type'],
    [
      'with an unknown entity type',
      entityWith('"type":"x","external_id":"C-1"'),
      'entity_type.unknown',
      '/entity/type',
    ],
    ['about another type', entityWith('"type":"stock","external_id":"C-1"'), 'entity_type.mismatch', '/entity/type'],
    ['without an id', entityWith('"type":"customer"'), 'id.invalid', '/entity/external_id'],
    ['with null for an id', entityWith('"type":"customer","external_id":null'), 'id.invalid', '/entity/external_id'],
    ['with true for an id', entityWith('"type":"customer","external_id":true'), 'id.invalid', '/entity/external_id'],
    ['with an empty id', entityWith('"type":"customer","external_id":" "'), 'id.invalid', '/entity/external_id'],
    [
      'with an unknown part of its entity',
      entityWith('"type":"customer","external_id":"C-1","internalid":"x"'),
      'envelope.unknown_part',
      '/entity/internalid',
    ],
    [
      'with an unknown system',
      entityWith('"type":"customer","external_id":"C-1","system":"shop"'),
      'system.unknown',
      '/entity/system',
    ],
    [
      'with a system that is no text',
      entityWith('"type":"customer","external_id":"C-1","system":1'),
      'envelope.invalid',
      '/entity/system',
    ],
    ['without a payload', { payload: undefined }, 'envelope.invalid', '/payload'],
    ['with a list for a payload', { payload: '[]' }, 'envelope.invalid', '/payload'],
    ['with null for a payload', { payload: 'null' }, 'envelope.invalid', '/payload'],
    ['without a version that it needs', { version: undefined }, 'version.invalid', '/version'],
    ['with a fraction for a version', { version: '17.0' }, 'version.invalid', '/version'],
    ['with a list for a version', { version: '[17]' }, 'version.invalid', '/version'],
    ['with a time that is no text', { occurred_at: '1735732800' }, 'envelope.invalid', '/occurred_at'],
    ['with a time that is none', { occurred_at: '"noon"' }, 'occurred_at.invalid', '/occurred_at'],
    ['with a time ahead', { occurred_at: '"2025-01-02T00:00:00Z"' }, 'occurred_at.in_future', '/occurred_at'],
    ['with a correlation id that is no text', { correlation_id: '7' }, 'envelope.invalid', '/correlation_id'],
    ['with a link that is no list', { links: '{}' }, 'envelope.invalid', '/links'],
    ['with a link that is text', { links: '["erp:E-1"]' }, 'envelope.invalid', '/links/0'],
    ['with a link to no system', { links: '[{"external_id":"E"}]' }, 'envelope.invalid', '/links/0/system'],
    ['with a link to no id', { links: '[{"system":"erp"}]' }, 'id.invalid', '/links/0/external_id'],
    [
      'with a link to what is no id',
      { links: '[{"system":"erp","external_id":1},{"system":"erp","external_id":true}]' },
      'id.invalid',
      '/links/1/external_id',
    ],
    [
      'with a part of a link that nobody knows',
      { links: '[{"system":"erp","external_id":"E","entity_type":"customer"}]' },
      'envelope.unknown_part',
      '/links/0/entity_type',
    ],
    [
      'with an internal id that is no text',
      entityWith('"type":"customer","external_id":"C-1","internal_id":1'),
      'envelope.invalid',
      '/entity/internal_id',
    ],
    ['with a state that nothing acts on', { state: '"PAID"' }, 'envelope.invalid', '/state'],
    ['with one that it expects', { expected_current_state: '"PAID"' }, 'envelope.invalid', '/expected_current_state'],
    ['with a state that is no text', { state: '1' }, 'envelope.invalid', '/state'],
    ['with a part that nobody knows', { tenant: '"x"' }, 'envelope.unknown_part', '/tenant'],
    ['with an empty part that nobody knows', { tenant: 'null' }, 'envelope.unknown_part', '/tenant'],
    // `at` is a JSON Pointer, in which `/` and `~` of a name are escaped.
    ['with a slash in a name', { 'a/b': '1' }, 'envelope.unknown_part', '/a~1b'],
    ['with a name that is a trap elsewhere', { ['__proto__']: '1' }, 'envelope.unknown_part', '/__proto__'],
  ] as const)('%s', (_what, changes, code, at) => {
    expect(refusalOf(() => read(envelope(changes)))).toEqual({ code, at });
  });

  test.each(['[]', 'null', '"x"', '7'])('when it is %s', (text) => {
    expect(refusalOf(() => read(text))).toEqual({ code: 'envelope.invalid', at: '' });
  });

  test('when header and envelope have different keys', () => {
    expect(refusalOf(() => read(envelope(), 'other'))).toEqual({ code: 'key.invalid', at: '/idempotency_key' });
  });
});
