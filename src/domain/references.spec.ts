import { describe, expect, test } from '@jest/globals';
import { contractFrom, named } from '../../test/support/contract-from.js';
import { refusalOf } from '../../test/support/refusal.js';
import { isJsonObject } from './json/json.js';
import { readJson } from './json/read-json.js';
import { REFERENCES_MAX, readReferences } from './references.js';

const contract = contractFrom(`
systems:
  crm: { ingest: { auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] } } }
entities: { order: { order_by: version }, customer: { order_by: version }, product: { order_by: version } }
events:
  strict: { entity: order, strategy: ignore, references: { /customer_id: { type: customer, missing: create } } }
  lenient:
    entity: order
    strategy: ignore
    references: { /customer_id: { type: customer, missing: create, none: [0, null, absent, '', false, 1.50] } }
  lines:
    entity: order
    strategy: ignore
    references: { /lines/*/product_id: { type: product, missing: create, none: [absent] } }
  both:
    entity: order
    strategy: ignore
    references:
      /buyer: { type: customer, missing: create, none: [absent] }
      /seller: { type: customer, missing: create, none: [absent] }
`);
const crm = named(contract.systems, 'crm');

function read(eventType: string, text: string) {
  const { value: payload } = readJson(text);
  if (!isJsonObject(payload)) throw new Error('The test gave no object.');
  return readReferences(payload, named(contract.eventTypes, eventType).references, crm);
}

const found = (eventType: string, text: string) =>
  read(eventType, text).flatMap((each) => each.found.map(({ path, entity }) => [path, entity.type, entity.externalId]));

describe('references', () => {
  test.each([
    ['strict', '{"customer_id":77}', [['/customer_id', 'customer', '77']]],
    ['strict', '{"customer_id":" 77 "}', [['/customer_id', 'customer', '77']]],
    ['strict', '{"customer_id":9007199254740993}', [['/customer_id', 'customer', '9007199254740993']]],
    ['strict', '{"customer_id":0}', [['/customer_id', 'customer', '0']]],
    ['strict', '{"customer_id":"absent"}', [['/customer_id', 'customer', 'absent']]],
    [
      'lines',
      '{"lines":[{"product_id":1},{},{"product_id":"1"}]}',
      [
        ['/lines/0/product_id', 'product', '1'],
        ['/lines/2/product_id', 'product', '1'],
      ],
    ],
    ['lines', '{"lines":[]}', []],
    ['lines', '{}', []],
    [
      'both',
      '{"seller":"s","buyer":"b"}',
      [
        ['/buyer', 'customer', 'b'],
        ['/seller', 'customer', 's'],
      ],
    ],
  ])('by %s in %s', (eventType, text, expected) => {
    expect(found(eventType, text)).toEqual(expected);
  });

  test('keep the spelling of the sender beside the one that is compared', () => {
    expect(read('strict', '{"customer_id":" 77"}')[0]?.found[0]?.entity).toEqual({
      system: 'crm',
      type: 'customer',
      externalId: '77',
      rawExternalId: ' 77',
    });
  });

  test.each(['0', '"0"', '0.0', '0e5', '" 0 "', 'null', '""', '"  "', 'false', '1.5', '"1.5"'])(
    'say with %s that there is no such thing, where the contract lists it',
    (value) => {
      expect(found('lenient', `{"customer_id":${value}}`)).toEqual([]);
    },
  );

  test('are none where the member is absent', () => {
    expect(found('lenient', '{}')).toEqual([]);
  });

  test('take the word `absent` for absence only', () => {
    expect(found('lenient', '{"customer_id":"absent"}')).toEqual([['/customer_id', 'customer', 'absent']]);
  });

  test('are refused where there are more than anybody keeps, and not one sooner', () => {
    const lines = (count: number): string => `{"lines":[${Array(count).fill('{"product_id":1}').join()}]}`;
    expect(found('lines', lines(REFERENCES_MAX))).toHaveLength(REFERENCES_MAX);
    const refusal = refusalOf(() => read('lines', lines(REFERENCES_MAX + 1)));
    expect(refusal).toEqual({ code: 'reference.invalid', at: '/lines/*/product_id' });
  });

  test.each([
    ['strict', '{}', '/customer_id'],
    ['strict', '{"customer_id":null}', '/customer_id'],
    ['strict', '{"customer_id":""}', '/customer_id'],
    ['strict', '{"customer_id":true}', '/customer_id'],
    ['lenient', '{"customer_id":true}', '/customer_id'],
    ['strict', '{"customer_id":[77]}', '/customer_id'],
    ['strict', '{"customer_id":{"id":77}}', '/customer_id'],
    ['strict', `{"customer_id":"${'x'.repeat(256)}"}`, '/customer_id'],
    ['strict', '{"customer_id":"a\\u0000"}', '/customer_id'],
    ['lines', '{"lines":[{"product_id":1},{"product_id":null}]}', '/lines/1/product_id'],
    ['lines', '{"lines":{"product_id":1}}', '/lines'],
    ['lines', '{"lines":"x"}', '/lines'],
  ])('are refused by %s in %.40s', (eventType, text, at) => {
    expect(refusalOf(() => read(eventType, text))).toEqual({ code: 'reference.invalid', at });
  });
});
