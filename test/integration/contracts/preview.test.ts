import { beforeAll, describe, expect, test } from '@jest/globals';
import { ContractsService } from '../../../src/operations/contracts/contracts.service.js';
import { effectLine } from '../../../src/operations/contracts/describe-change.js';
import { wireShop } from '../../support/wired-shop.js';

const CONTRACT = `
systems:
  crm: { external_ids: { normalize: [trim] }, ingest: { auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] } } }
  erp: { ingest: { auth: { scheme: api-key, secrets: ['\${ERP_KEY}'] } } }
entities: { customer: { order_by: version }, order: { order_by: version } }
events:
  customer.updated: { entity: customer, strategy: overwrite }
  order.updated: { entity: order, strategy: overwrite }
`;
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

  test('an order: the records that keep their value', async () => {
    expect(await previewed('customer: { order_by: version', 'customer: { order_by: occurred_at')).toEqual([
      ['entities.customer.order_by', '1 record keeps its order value in customer'],
    ]);
  });

  test('nothing where nothing is stored', async () => {
    expect(await previewed('order: { order_by: version', 'order: { order_by: occurred_at')).toEqual([]);
    expect(await previewed('order.updated: {', 'order.updated: { scope: { shared: [crm, erp] },')).toEqual([]);
  });
});
