import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import { callerOf } from './call-system.js';

const MISSING = 'odoo.exceptions.MissingError';

let server: RecordServer;
let control: RecordServerClient;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', dialect: 'odoo', port: 0 });
  control = new RecordServerClient(server.url);
});
afterAll(() => server.close());
beforeEach(() => control.reset());

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly data: { readonly name: string; readonly message: string } };
}

/** One JSON-RPC call. Whatever becomes of it, the answer is HTTP 200. */
async function rpc(service: string, method: string, args: readonly unknown[]): Promise<Reply> {
  const body = { jsonrpc: '2.0', method: 'call', id: 7, params: { service, method, args } };
  const answer = await callerOf(server.url)('POST', '/jsonrpc', { body });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 7 });
  return answer.json as Reply;
}

function execute(model: string, verb: string, args: readonly unknown[], named: object = {}): Promise<Reply> {
  return rpc('object', 'execute_kw', ['sample', 2, 'odoo-key', model, verb, args, named]);
}

describe('records', () => {
  test('a list of new records answers a list of ids, one record one id', async () => {
    const { result } = await execute('res.partner', 'create', [[{ name: 'Ada', ref: 'r-1' }]]);
    expect(result).toEqual([expect.any(Number)]);
    expect((await execute('res.partner', 'create', [{ name: 'Bob' }])).result).toEqual(expect.any(Number));
    expect((await control.records('customers'))[0]).toMatchObject({ ref: 'r-1', writes: 1 });
  });

  test('search_read finds by a field, shows what is asked for and no more than the limit', async () => {
    await execute('res.partner', 'create', [
      [{ ref: 'r-1', name: 'Ada' }, { ref: 'r-1' }, { ref: 'r-1' }, { ref: 'x' }],
    ]);
    const found = await execute('res.partner', 'search_read', [[['ref', '=', 'r-1']]], { fields: ['id'], limit: 2 });
    expect(found.result).toEqual([{ id: expect.any(Number) }, { id: expect.any(Number) }]);
    const nobody = await execute('res.partner', 'search_read', [[['ref', '=', 'nobody']]]);
    expect(nobody.result).toEqual([]);
  });

  test('an archived record is found only where the context says so', async () => {
    await execute('res.partner', 'create', [[{ ref: 'r-1', active: false }]]);
    const domain = [[['ref', '=', 'r-1']]];
    expect((await execute('res.partner', 'search', domain)).result).toEqual([]);
    const all = await execute('res.partner', 'search', domain, { context: { active_test: false } });
    expect(all.result).toHaveLength(1);
  });

  test('write changes what it names and answers true; unlink removes', async () => {
    const { result } = await execute('res.partner', 'create', [[{ name: 'Ada', phone: '1' }]]);
    expect((await execute('res.partner', 'write', [result, { name: 'Ada L.' }])).result).toBe(true);
    expect((await execute('res.partner', 'read', [result, ['name', 'phone', 'email']])).result).toEqual([
      { id: (result as number[])[0], name: 'Ada L.', phone: '1', email: false },
    ]);
    expect((await execute('res.partner', 'unlink', [result])).result).toBe(true);
    expect(await control.records('customers')).toEqual([]);
  });

  test('numbers keep their digits', async () => {
    const args = '["sample",2,"odoo-key","res.partner","create",[[{"credit_limit":9007199254740993,"fee":1.10}]]]';
    const body = `{"jsonrpc":"2.0","params":{"service":"object","method":"execute_kw","args":${args}}}`;
    await callerOf(server.url)('POST', '/jsonrpc', { body });
    expect((await control.records('customers'))[0]?.raw).toBe('{"credit_limit":9007199254740993,"fee":1.10}');
  });
});

describe('child rows', () => {
  async function linesOf(id: unknown): Promise<unknown> {
    const { result } = await execute('sale.order', 'read', [[id], ['order_line']]);
    return (result as { order_line: unknown }[])[0]?.order_line;
  }

  test('a row has an id of its own; [1, id] changes it, [0, 0] adds one more, [2, id] removes it', async () => {
    const created = await execute('sale.order', 'create', [[{ order_line: [[0, 0, { product_id: 1 }]] }]]);
    const [order] = created.result as number[];
    const [line] = (await linesOf(order)) as number[];
    await execute('sale.order', 'write', [[order], { order_line: [[1, line, { product_uom_qty: 3 }]] }]);
    expect(await linesOf(order)).toEqual([line]);
    await execute('sale.order', 'write', [[order], { order_line: [[0, 0, { product_id: 1 }]] }]);
    expect(await linesOf(order)).toEqual([line, expect.any(Number)]);
    await execute('sale.order', 'write', [[order], { order_line: [[2, line]] }]);
    expect(await linesOf(order)).toHaveLength(1);
  });
});

describe('errors, all of them with HTTP 200', () => {
  test.each([
    ['a wrong key', ['sample', 2, 'wrong', 'res.partner', 'search', [[]]], 'odoo.exceptions.AccessDenied'],
    ['a user as text', ['sample', '2', 'odoo-key', 'res.partner', 'search', [[]]], 'odoo.exceptions.AccessDenied'],
    ['a record that is not there', ['sample', 2, 'odoo-key', 'res.partner', 'write', [[5], {}]], MISSING],
    ['a model that is not there', ['sample', 2, 'odoo-key', 'res.nothing', 'search', [[]]], 'builtins.KeyError'],
  ])('%s', async (_, args, name) => {
    expect((await rpc('object', 'execute_kw', args)).error).toMatchObject({ code: 200, data: { name } });
  });

  test('a reference that must be unique and is not', async () => {
    await control.changeSettings({ unique_refs: true });
    await execute('res.partner', 'create', [[{ ref: 'r-1' }]]);
    const { error } = await execute('res.partner', 'create', [[{ ref: 'r-1' }]]);
    expect(error?.data.name).toBe('odoo.exceptions.UserError');
    expect(error?.data.message).toContain('must be unique');
    expect(await control.records('customers')).toHaveLength(1);
  });

  test('a write of several records, one of them missing, changes none', async () => {
    const { result } = await execute('res.partner', 'create', [[{ name: 'Ada' }]]);
    await execute('res.partner', 'write', [[...(result as number[]), 5], { name: 'X' }]);
    expect((await control.records('customers'))[0]?.writes).toBe(1);
  });
});

test('a login answers the number of the user, a wrong one answers false', async () => {
  expect((await rpc('common', 'authenticate', ['sample', 'hub@example.com', 'odoo-key', {}])).result).toBe(2);
  expect((await rpc('common', 'authenticate', ['sample', 'hub@example.com', 'wrong', {}])).result).toBe(false);
});
