import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { RecordServerClient } from '../record-server-client.js';
import { startRecordServer, type RecordServer } from '../record-server.js';
import { callerOf, type Caller } from './call-system.js';

const ROOT = '/wp-json/wc/v3';

let server: RecordServer;
let control: RecordServerClient;
let call: Caller;

beforeAll(async () => {
  server = await startRecordServer({ system: 'erp', dialect: 'woocommerce', port: 0 });
  control = new RecordServerClient(server.url);
  const credentials = Buffer.from('ck_sample:cs_sample').toString('base64');
  call = callerOf(server.url, { authorization: `Basic ${credentials}` });
});
afterAll(() => server.close());
beforeEach(() => control.reset());

async function created(path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await call('POST', `${ROOT}${path}`, { body });
  expect(answer.status).toBe(201);
  return answer.json as Record<string, unknown>;
}

test('without the right key: 401 in the words of WooCommerce', async () => {
  expect(await callerOf(server.url)('GET', `${ROOT}/orders`)).toMatchObject({
    status: 401,
    json: { code: 'woocommerce_rest_cannot_view', data: { status: 401 } },
  });
});

test('a change names what it changes; the rest stays', async () => {
  const { id } = await created('/products', { sku: 'A', name: 'Apple', regular_price: '1.10' });
  const changed = await call('PUT', `${ROOT}/products/${String(id)}`, { body: { name: 'Pear' } });
  expect(changed.json).toEqual({ id, sku: 'A', name: 'Pear', regular_price: '1.10' });
});

test('an unknown product is 404 for a look and 400 for a change, with one code', async () => {
  const code = 'woocommerce_rest_product_invalid_id';
  expect(await call('GET', `${ROOT}/products/5`)).toMatchObject({ status: 404, json: { code } });
  expect(await call('PUT', `${ROOT}/products/5`, { body: {} })).toMatchObject({ status: 400, json: { code } });
});

test.each([
  ['/products/categories', { name: 'Fruit' }, 'term_exists'],
  ['/products', { sku: 'A' }, 'product_invalid_sku'],
  ['/customers', { email: 'ada@example.com' }, 'registration-error-email-exists'],
])('%s: what is already there is refused with its id', async (path, body, code) => {
  const { id } = await created(path, body);
  expect(await call('POST', `${ROOT}${path}`, { body })).toMatchObject({
    status: 400,
    json: { code, data: { status: 400, resource_id: id } },
  });
});

test('products are found by SKU and customers by e-mail', async () => {
  const product = await created('/products', { sku: 'A' });
  await created('/products', { sku: 'B' });
  expect((await call('GET', `${ROOT}/products?sku=A`)).json).toEqual([product]);
  expect((await call('GET', `${ROOT}/customers?email=nobody`)).json).toEqual([]);
});

test('rows have ids: repeated they are changed, left out they are added again', async () => {
  const order = await created('/orders', { line_items: [{ product_id: 1, quantity: 1 }] });
  const path = `${ROOT}/orders/${String(order['id'])}`;
  const [line] = order['line_items'] as { id: number }[];
  const repeated = await call('PUT', path, { body: { line_items: [{ id: line?.id, quantity: 2 }] } });
  expect(repeated.json).toMatchObject({ line_items: [{ id: line?.id, product_id: 1, quantity: 2 }] });
  const again = await call('PUT', path, { body: { line_items: [{ product_id: 1 }] } });
  expect(again.json).toMatchObject({ line_items: { length: 2 } });
  const foreign = await call('PUT', path, { body: { line_items: [{ id: 5 }] } });
  expect(foreign).toMatchObject({ status: 400, json: { code: 'woocommerce_rest_invalid_item_id' } });
});

test('a delete puts an order into the trash; with force it is gone; customers know force only', async () => {
  const { id } = await created('/orders', {});
  expect((await call('DELETE', `${ROOT}/orders/${String(id)}`)).json).toMatchObject({ id });
  expect((await call('GET', `${ROOT}/orders/${String(id)}`)).json).toMatchObject({ status: 'trash' });
  await call('DELETE', `${ROOT}/orders/${String(id)}?force=true`);
  expect((await call('GET', `${ROOT}/orders/${String(id)}`)).status).toBe(404);
  const customer = await created('/customers', {});
  expect((await call('DELETE', `${ROOT}/customers/${String(customer['id'])}`)).status).toBe(501);
});

test('our reference stands in the metadata, and a control plane sees it', async () => {
  await created('/orders', { meta_data: [{ key: '_crosswalk_id', value: 'r-1' }] });
  expect((await control.records('orders'))[0]?.ref).toBe('r-1');
});

test('no resource: rest_no_route', async () => {
  for (const path of ['/nothing', '/orders/x', '/ordersabc'])
    expect((await call('GET', `${ROOT}${path}`)).json).toMatchObject({ code: 'rest_no_route' });
});
