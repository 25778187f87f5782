import { describe, expect, test } from '@jest/globals';
import { formatMistake } from '../format-mistake.js';
import { readContract, type ReadContract } from '../read-contract.js';

/** A contract of eight lines; the references are on the last one, the links on the third. */
function read(references: string, mayLink = '[erp]'): ReadContract {
  const text = `systems:
  crm:
    ingest: { auth: { scheme: api-key, secrets: ['\${KEY}'] }, may_link: ${mayLink} }
  erp:
    ingest: { auth: { scheme: api-key, secrets: ['\${OTHER_KEY}'] } }
entities: { order: { order_by: version }, customer: { order_by: version } }
events:
  order.placed: { entity: order, strategy: ignore, references: ${references} }
`;
  return readContract(text, (name) => `the-value-of-${name}`);
}

function mistakes(contract: ReadContract): readonly string[] {
  return contract.kind === 'contract'
    ? []
    : contract.mistakes.map((mistake) => formatMistake('F', mistake).slice('F:'.length));
}

describe('references and links of a contract', () => {
  test('are read with every path parsed and every value in its one spelling', () => {
    const contract = read("{ /customer_id: { type: customer, missing: create, none: [0, 1.50, '', null, absent] } }");
    const order = contract.kind === 'contract' ? contract.contract.eventTypes.get('order.placed') : undefined;
    expect(order?.references).toEqual([
      {
        path: { source: '/customer_id', stretches: [['customer_id']] },
        entityType: 'customer',
        missing: 'create',
        none: { texts: new Set(['0', '1.5', '']), null: true, absent: true },
      },
    ]);
    const crm = contract.kind === 'contract' ? contract.contract.systems.get('crm') : undefined;
    const erp = contract.kind === 'contract' ? contract.contract.systems.get('erp') : undefined;
    expect([crm?.ingest?.mayLink, erp?.ingest?.mayLink]).toEqual([['erp'], []]);
  });

  test('may go through lists, and have no values for nothing', () => {
    const contract = read('{ /lines/*/id: { type: customer, missing: create } }');
    const [rule] = (contract.kind === 'contract' && contract.contract.eventTypes.get('order.placed')?.references) || [];
    expect(rule).toMatchObject({
      path: { stretches: [['lines'], ['id']] },
      none: { texts: new Set(), null: false, absent: false },
    });
  });

  test.each([
    ['{ customer_id: { type: customer, missing: create } }', '`customer_id` is not a JSON Pointer'],
    ['{ "": { type: customer, missing: create } }', 'the whole payload is no id'],
    [
      '{ /customer_id: { type: custommer, missing: create } }',
      'unknown entity type `custommer` (did you mean `customer`?)',
    ],
    ['{ /customer_id: { type: customer, missing: later } }', '`later` is not known here; expected `create` or `wait`'],
    ['{ /customer_id: { type: customer } }', '`missing` is missing'],
    ['{ /customer_id: { missing: create } }', '`type` is missing'],
    ['{ /customer_id: { type: customer, missing: create, none: [] } }', 'expected at least one item'],
    ['{ /customer_id: { type: customer, missing: create, none: 0 } }', 'found a number; expected a list'],
    ['{ /customer_id: { type: customer, missing: create, none: [[0]] } }', 'found a list; expected text, a number'],
    ['{ /customer_id: customer }', 'found text; expected a block of keys'],
  ])('with %s are refused: %s', (references, message) => {
    expect(mistakes(read(references))).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['a sender’s payload has the field’s name', '', '/lines/*/id', true],
    ['a sender’s field keeps it', ', fields: { order: { lines: /items } }', '/items/*/id', true],
    ['every sender’s fields keep it elsewhere', ', fields: { order: { items: /lines } }', '/lines/*/id', false],
    ['it is another field', '', '/seller', false],
  ])('below a field that a merge rule owns are refused where %s', (_where, fields, source, isRefused) => {
    const text = `systems:
  crm: { ingest: { auth: { scheme: api-key, secrets: ['\${KEY}'] }${fields} } }
entities: { order: { order_by: version }, customer: { order_by: version } }
events:
  order.placed: { entity: order, strategy: overwrite, references: { ${source}: { type: customer, missing: create } } }
  entity.noted: { entity: "*", strategy: merge, merge: { lines: { append_unique_by: id } } }
`;
    const found = mistakes(readContract(text, () => 'the-value-of-it')).filter((each) => each.includes('references'));
    expect(found).toEqual(isRefused ? [expect.stringContaining('a `merge` rule owns `lines` of `order`')] : []);
  });

  test.each([
    ['[wms]', '3:74 systems.crm.ingest.may_link[0]: unknown system `wms`'],
    ['[crm]', '3:74 systems.crm.ingest.may_link[0]: a system may always link its own ids'],
    ['erp', '3:73 systems.crm.ingest.may_link: found text; expected a list'],
  ])('with may_link: %s are refused: %s', (mayLink, message) => {
    expect(mistakes(read('{ /c: { type: customer, missing: create } }', mayLink))).toEqual([
      expect.stringContaining(message),
    ]);
  });
});
