import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { json, textOf } from '../../../test/support/arbitrary-json.js';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { isJsonObject, type JsonObject } from '../json/json.js';
import { readJson } from '../json/read-json.js';
import { fingerprintOf, type FingerprintParts } from './fingerprint.js';

const contract = contractFrom(`
systems:
  crm:
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }
      webhooks:
        - when: { /type: order }
          event_type: order.updated
          idempotency_key: 'order:{/order/id}:{/line/0}:v{/version}'
          entity: { type: order, external_id: '{/order/id}' }
          version: '{/version}'
entities: { order: { order_by: version } }
events:
  order.updated: { entity: order, strategy: overwrite }
  order.noted: { entity: order, strategy: ignore }
  order.placed:
    entity: order
    strategy: ignore
    references:
      /buyer: { type: order, missing: create }
      /lines/*/product: { type: order, missing: create, none: [null] }
`);
const crm = named(contract.systems, 'crm');
const eventType = (name: string): FingerprintParts['eventType'] => named(contract.eventTypes, name);

const PARTS: Omit<FingerprintParts, 'payload'> = {
  eventType: eventType('order.updated'),
  entity: { system: 'crm', type: 'order', externalId: 'O-1' },
  links: undefined,
  version: '17',
};

function object(text: string): JsonObject {
  const { value } = readJson(text);
  if (!isJsonObject(value)) throw new Error('The test gave no object.');
  return value;
}

const printOf = (payload: string, parts: Partial<FingerprintParts> = {}): string =>
  fingerprintOf({ ...PARTS, ...parts, payload: object(payload) }, crm);

describe('the fingerprint of a copy is the same', () => {
  test.each([
    ['with its members in another order', '{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}'],
    ['with other blanks', '{"a":[1,2]}', '{\n  "a" : [ 1,\t2 ]\n}'],
    ['with other escapes', '{"a":"é/"}', String.raw`{"\u0061":"\u00e9\/"}`],
    ['with its numbers in another scale', '{"amount":1299.00}', '{"amount":1299}'],
    ['with an exponent', '{"amount":1.2990e3}', '{"amount":1299}'],
    ['with its times in another zone', '{"at":"2025-01-01T00:00:00Z"}', '{"at":"2025-01-01T08:00:00.000+08:00"}'],
    ['with an id as a number', '{"order":{"id":450789469}}', '{"order":{"id":"450789469"}}'],
    ['with a part of the key as a number', '{"line":[7]}', '{"line":["7"]}'],
    ['with the version as text', '{"version":17}', '{"version":"17"}'],
    ['with a stray blank around its id', '{"order":{"id":"O-1"}}', '{"order":{"id":" O-1 "}}'],
    ['with its id in another Unicode form', '{"order":{"id":"Caf\u00e9"}}', '{"order":{"id":"Cafe\u0301"}}'],
  ])('%s', (_what, first, copy) => {
    expect(printOf(copy)).toBe(printOf(first));
  });

  test('however it is printed', () => {
    const printed = json
      .map((value) => new Map([['data', value]]))
      .chain((payload) => fc.tuple(fc.constant(payload), textOf(payload)));
    fc.assert(
      fc.property(printed, ([payload, text]) => {
        expect(printOf(text)).toBe(fingerprintOf({ ...PARTS, payload }, crm));
      }),
    );
  });
});

describe('the fingerprint differs', () => {
  test.each([
    ['a value', '{"status":"PAID"}', '{"status":"OPEN"}'],
    ['a digit beyond a double', '{"n":9007199254740993}', '{"n":9007199254740992}'],
    ['a member more', '{"a":1}', '{"a":1,"b":null}'],
    ['the order of a list', '{"a":[1,2]}', '{"a":[2,1]}'],
    ['a number and its text where no id stands', '{"amount":1}', '{"amount":"1"}'],
    ['another id inside', '{"order":{"id":1}}', '{"order":{"id":2}}'],
    ['the case of an id', '{"order":{"id":"a"}}', '{"order":{"id":"A"}}'],
    ['a blank in a text that is no id', '{"name":"a"}', '{"name":"a "}'],
    ['a microsecond', '{"at":"2025-01-01T00:00:00.000001Z"}', '{"at":"2025-01-01T00:00:00.000002Z"}'],
  ])('by %s', (_what, first, other) => {
    expect(printOf(other)).not.toBe(printOf(first));
  });

  test('by event type, version and every part of the entity, and these are never taken for each other', () => {
    const entity = { system: 'crm', type: 'order', externalId: 'O-1' };
    const prints = [
      printOf('{}'),
      printOf('{}', { eventType: eventType('order.noted') }),
      printOf('{}', { version: '18' }),
      printOf('{}', { version: undefined }),
      printOf('{}', { version: 'null' }),
      printOf('{}', { entity: { ...entity, system: 'erp' } }),
      printOf('{}', { entity: { ...entity, type: 'customer' } }),
      printOf('{}', { entity: { ...entity, externalId: 'O-2' } }),
      printOf('{}', { entity: { system: 'crm', type: 'orderO', externalId: '-1' } }),
      printOf('{"x":1}'),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('ids count as text only for the event type whose rule reads them', () => {
    const [asNumber, asText] = ['{"order":{"id":1}}', '{"order":{"id":"1"}}'];
    const noted = { eventType: eventType('order.noted') };
    expect(printOf(asNumber, noted)).not.toBe(printOf(asText, noted));
  });

  test('ids that refer to other entities count as text, in every element of a list', () => {
    const placed = { eventType: eventType('order.placed') };
    const first = '{"buyer":77,"lines":[{"product":1},{"product":2}]}';
    expect(printOf('{"buyer":" 77","lines":[{"product":"1"},{"product":"2 "}]}', placed)).toBe(printOf(first, placed));
    expect(printOf('{"buyer":77,"lines":[{"product":2},{"product":1}]}', placed)).not.toBe(printOf(first, placed));
  });

  test('by every part of the links, and these are never taken for each other', () => {
    const link = (system: string, externalId: string) => ({
      system,
      type: 'order',
      externalId,
      rawExternalId: externalId,
    });
    const linked = (...others: readonly ReturnType<typeof link>[]) => ({ links: { others, internalId: undefined } });
    const prints = [
      printOf('{}'),
      printOf('{}', linked(link('erp', 'E-1'))),
      printOf('{}', linked(link('erp', 'E-2'))),
      printOf('{}', linked(link('wms', 'E-1'))),
      printOf('{}', linked(link('erp', 'E-1'), link('wms', 'W-1'))),
      printOf('{}', linked(link('erpE', '-1'))),
      printOf('{}', { links: { others: [], internalId: 'E-1' } }),
      printOf('{}', { links: { others: [], internalId: 'E-2' } }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
