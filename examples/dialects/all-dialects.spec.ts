import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import type { Collection } from '../record-store.js';
import { callerOf, type Called } from './call-system.js';
import { DIALECT_NAMES, type DialectName } from './dialects.js';

/** A create in each dialect, and how it says where the record is. */
const CREATES: Record<DialectName, { readonly path: string; readonly body: unknown; readonly status: number }> = {
  rest: { path: '/customers', body: { ref: 'r-1' }, status: 201 },
  'async-create': { path: '/customers', body: { ref: 'r-1' }, status: 202 },
  odoo: {
    path: '/jsonrpc',
    body: {
      params: {
        service: 'object',
        method: 'execute_kw',
        args: ['sample', 2, 'odoo-key', 'res.partner', 'create', [[{ ref: 'r-1' }]]],
      },
    },
    status: 200,
  },
  odata: {
    path: '/sap/opu/odata/sap/API_BUSINESS_PARTNER/A_BusinessPartner',
    body: { SearchTerm1: 'r-1' },
    status: 201,
  },
  salesforce: {
    path: '/services/data/v61.0/sobjects/Account',
    body: { Name: 'Ada', Crosswalk__c: 'r-1' },
    status: 201,
  },
  woocommerce: {
    path: '/wp-json/wc/v3/customers',
    body: { meta_data: [{ key: '_crosswalk_id', value: 'r-1' }] },
    status: 201,
  },
  hubspot: { path: '/crm/v3/objects/contacts', body: { properties: { crosswalk_id: 'r-1' } }, status: 201 },
};
const COLLECTION: Collection = 'customers';

describe.each(DIALECT_NAMES)('%s', (dialect) => {
  let server: RecordServer;
  let control: RecordServerClient;
  const { path, body, status } = CREATES[dialect];

  beforeEach(async () => {
    server = await startRecordServer({
      system: 'erp',
      dialect,
      port: 0,
      settings: { jobs: { ends: 'before_answer' } },
    });
    control = new RecordServerClient(server.url);
    // Odoo looks for its credentials in the body, whatever else is asked for.
    if (dialect !== 'odoo') await control.changeSettings({ auth: { scheme: 'none' } });
  });
  afterEach(() => server.close());

  const create = (headers: Record<string, string> = {}): Promise<Called> =>
    callerOf(server.url)('POST', path, { body, headers });
  const refs = async (): Promise<(string | null)[]> => (await control.records(COLLECTION)).map(({ ref }) => ref);

  test('creates a record that knows our reference, and logs what it wrote', async () => {
    expect((await create()).status).toBe(status);
    const [record] = await control.records(COLLECTION);
    expect(record).toMatchObject({ ref: 'r-1', writes: 1 });
    expect(await control.calls()).toMatchObject([
      { method: 'POST', path, status, applied: true, record_id: record?.id, revision: record?.revision },
    ]);
    expect(await control.changes()).toMatchObject([{ change: 'created', id: record?.id }]);
  });

  test('without keys a copy is a second record, with them it is not', async () => {
    await control.changeSettings({ idempotency: 'none' });
    await create({ 'idempotency-key': 'k' });
    await create({ 'idempotency-key': 'k' });
    expect(await refs()).toEqual(['r-1', 'r-1']);
    await control.changeSettings({ idempotency: 'creates', unique_refs: false });
    await create({ 'idempotency-key': 'l' });
    await control.changeSettings({ unique_refs: true });
    await create({ 'idempotency-key': 'l' });
    expect(await refs()).toHaveLength(3);
  });

  test('a lost answer leaves the record', async () => {
    await control.scriptFaults([{ kind: 'reset_after_applying', body_includes: 'r-1' }]);
    await expect(create()).rejects.toThrow('fetch failed');
    expect(await refs()).toEqual(['r-1']);
  });

  test('calls above the limit are turned away and change nothing', async () => {
    await control.changeSettings({ rate_limit: { max: 1, per_ms: 60_000 } });
    await create();
    const { status: second, headers } = await create();
    expect(second).toBe(dialect === 'salesforce' ? 403 : 429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refs()).toHaveLength(1);
    expect(await control.mostArrivals(60_000)).toBe(2);
  });

  test('a reset brings its own settings back', async () => {
    await control.changeSettings({ rate_limit: { max: 0, per_ms: 60_000 } });
    await control.reset();
    expect((await create()).status).not.toBe(dialect === 'salesforce' ? 403 : 429);
  });
});

test('credentials in a body are stars in the call log', async () => {
  const server = await startRecordServer({ system: 'erp', dialect: 'odoo', port: 0 });
  const { path, body } = CREATES.odoo;
  await callerOf(server.url)('POST', path, { body });
  const [call] = await new RecordServerClient(server.url).calls();
  expect(call?.body).toContain('"***","res.partner"');
  expect(JSON.stringify(call)).not.toContain('odoo-key');
  await server.close();
});
