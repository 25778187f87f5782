import { beforeAll, describe, expect, test } from '@jest/globals';
import { JsonNumber } from '../../../src/domain/json/json.js';
import { writeJson } from '../../../src/domain/json/write-json.js';
import type { MergedField } from '../../../src/domain/merged-field.js';
import { writeReferences } from '../../../src/domain/record-references.js';
import { writeClock, writeClocks } from '../../../src/flow/entities/stored-clock.js';
import { writeMerged } from '../../../src/flow/entities/stored-merged-fields.js';
import { ContractsService } from '../../../src/operations/contracts/contracts.service.js';
import { effectLine } from '../../../src/operations/contracts/describe-change.js';
import { wireShop } from '../../support/wired-shop.js';

const CONTRACT = `
systems:
  crm: { external_ids: { normalize: [trim] }, ingest: { auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] } } }
  erp: { ingest: { auth: { scheme: api-key, secrets: ['\${ERP_KEY}'] } } }
entities: { customer: { order_by: version }, order: { order_by: version }, stock: { order_by: version }, visit: { order_by: arrival }, trip: { order_by: version, states: { initial: NEW, NEW: [ON, OFF], ON: [OFF], OFF: [] } } }
events:
  customer.updated: { entity: customer, strategy: overwrite }
  order.updated: { entity: order, strategy: overwrite }
  stock.noted: { entity: stock, strategy: merge, merge: { 'a "tag"': { union: true }, notes: { union: true } } }
  visit.made: { entity: visit, strategy: merge, merge: { seen: { sum: /delta } }, keys: forever }
`;
const CLOCK = { order: 3n, key: 'k' };
const TREE = { written: CLOCK, members: new Map() };
/** With the other field's name in it, and with a character that PostgreSQL's own JSON refuses. */
const TAGS: MergedField = {
  kind: 'union',
  elements: new Map([['x', { value: '"notes":{"kind":"union"\u0000', first: CLOCK, position: 0, last: CLOCK }]]),
};
/** The same letter in its two spellings. */
const [COMPOSED, DECOMPOSED] = ['\u00e9', 'e\u0301'];

describe('the effect of a contract that contradicts what is stored', () => {
  const shop = wireShop();
  const previewed = async (from: string, to: string) => {
    expect(CONTRACT).toContain(from);
    const { against, dangers } = await shop.first.get(ContractsService).preview(CONTRACT.replace(from, to));
    expect(against).toBe(1);
    return dangers.map((danger) => [danger.change.path, effectLine(danger).split('. ')[0]]);
  };

  const keepRecord = async (type: string, id: string, kept: Readonly<Record<string, string | null>>) => {
    const row = { field_clocks: '{}', existence_clock: null, merged: '{}', refs: null, ...kept };
    await shop.query(
      `INSERT INTO records (source, system, entity_type, external_id, internal_id, data, last_event_id,
                            field_clocks, existence_clock, merged, refs)
       VALUES ('crm', 'crm', $1, $2, gen_random_uuid(), '{}', gen_random_uuid(), $3, $4, $5, $6)`,
      [type, id, row.field_clocks, row.existence_clock, row.merged, row.refs],
    );
  };

  beforeAll(async () => {
    await shop.first.get(ContractsService).activate(CONTRACT);
    // More than a page, so that the next one is read as well.
    await shop.query(
      `INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
       SELECT scope, number::text, gen_random_uuid(), 'f'
         FROM generate_series(1, 1200) AS number, unnest(ARRAY['crm:customer.updated', 'erp:customer.updated']) AS scope
        WHERE scope LIKE 'crm%' OR number = 1`,
    );
    await shop.query(
      `INSERT INTO mappings (mapping_id, internal_id, entity_type, system, external_id, raw_external_id, state, origin)
       SELECT gen_random_uuid(), gen_random_uuid(), type, system, id, id, 'linked', 'seen'
         FROM (SELECT 'customer' AS type, 'crm' AS system, 'C-' || number AS id FROM generate_series(1, 6000) AS number
               UNION ALL SELECT 'customer', 'crm', spelling FROM unnest($1::text[]) AS spelling
               UNION ALL SELECT 'order', 'crm', $2
               UNION ALL SELECT 'customer', 'erp', $2) AS ids`,
      [[COMPOSED, DECOMPOSED], DECOMPOSED],
    );
    await shop.query(
      `INSERT INTO records (source, system, entity_type, external_id, internal_id, order_value, field_clocks, data,
                            last_event_id)
       VALUES ('crm', 'crm', 'customer', 'C-1', gen_random_uuid(), 1, '{}', '{}', gen_random_uuid())`,
    );
    await keepRecord('stock', 'S-1', { field_clocks: writeJson(writeClocks({ members: new Map([['a', TREE]]) })) });
    await keepRecord('stock', 'S-2', { existence_clock: writeJson(writeClock(CLOCK)) });
    await keepRecord('stock', 'S-3', { merged: writeJson(writeMerged(new Map([['a "tag"', TAGS]]))) });
    await keepRecord('stock', 'S-4', { refs: writeReferences(new Map([['/c', { clock: CLOCK, references: [] }]])) });
    await keepRecord('stock', 'S-5', {});
    await shop.query(
      `INSERT INTO entities (internal_id, entity_type, revision, data, state)
       SELECT gen_random_uuid(), type, 1, '{}', state
         FROM (VALUES ('trip', 'ON'), ('trip', 'ON'), ('trip', 'OFF'), ('trip', NULL), ('visit', 'ON')) AS row (type, state)`,
    );
    const total: MergedField = { kind: 'sum', total: new JsonNumber('1') };
    await keepRecord('visit', 'V-1', { merged: writeJson(writeMerged(new Map([['seen', total]]))) });
  });

  test('a scope: all keys that are left behind', async () => {
    const shared = 'customer.updated: { scope: { shared: [crm, erp] }, entity';
    expect(await previewed('customer.updated: { entity', shared)).toEqual([
      [
        'events["customer.updated"].scope.shared',
        '1,201 keys are stored in crm:customer.updated, erp:customer.updated',
      ],
    ]);
  });

  test('a normalisation: how many ids would be spelt otherwise, and how many would become one', async () => {
    // In the ids of customers both spellings are there, in those of orders the longer one alone.
    expect(await previewed('[trim]', '[trim, nfc]')).toEqual([
      [
        'systems.crm.external_ids.normalize',
        '6,003 external ids are mapped of crm; 2 would be spelt otherwise, 1 would become one with another',
      ],
    ]);
  });

  test('a state that is taken away: the entities that are in it', async () => {
    expect(await previewed('NEW: [ON, OFF], ON: [OFF], OFF: []', 'NEW: [OFF], OFF: []')).toEqual([
      ['entities.trip.states.ON', '2 entities are in ON of trip'],
    ]);
  });

  test('an order: the records that keep their value', async () => {
    expect(await previewed('customer: { order_by: version', 'customer: { order_by: occurred_at')).toEqual([
      ['entities.customer.order_by', '1 record keeps its order value in customer'],
    ]);
  });

  test('an order: also the records that keep it with patches, elements and references alone', async () => {
    expect(await previewed('stock: { order_by: version', 'stock: { order_by: occurred_at')).toEqual([
      ['entities.stock.order_by', '4 records keep their order value in stock'],
    ]);
  });

  test('an order: not the records that have none to keep', async () => {
    expect(await previewed('visit: { order_by: arrival', 'visit: { order_by: version')).toEqual([]);
  });

  test('a merge rule: the records that hold what it made of the field, and no others', async () => {
    expect(await previewed(`'a "tag"': { union: true }`, `'a "tag"': { latest: true }`)).toEqual([
      ['events["stock.noted"].merge["a \\"tag\\""]', '1 record holds what `a "tag"` grew to in stock'],
    ]);
    expect(await previewed('notes: { union: true }', 'notes: { latest: true }')).toEqual([]);
  });

  test('nothing where nothing is stored', async () => {
    expect(await previewed('order: { order_by: version', 'order: { order_by: occurred_at')).toEqual([]);
    expect(await previewed('order.updated: {', 'order.updated: { scope: { shared: [crm, erp] },')).toEqual([]);
  });
});
