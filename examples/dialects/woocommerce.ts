import { json, type Answer, type SystemRequest } from '../answer.js';
import { isObjectText, membersOf, mergedText, objectOf, scalarOf } from '../json-text.js';
import type { Collection, RecordBody, StoredRecord } from '../record-store.js';
import { rowsAfter } from './child-rows.js';
import type { Dialect, DialectParts } from './dialect.js';

/** One resource of the API and the words that only it uses. */
interface Resource {
  readonly collection: Collection;
  readonly path: string;
  readonly invalidId: string;
  /** The member that must be unique, and the code of the refusal. */
  readonly unique?: { readonly member: string; readonly code: string };
  readonly rows?: string;
}

const ROOT = '/wp-json/wc/v3';
const RESOURCES: readonly Resource[] = [
  {
    collection: 'categories',
    path: '/products/categories',
    invalidId: 'woocommerce_rest_term_invalid',
    unique: { member: 'name', code: 'term_exists' },
  },
  {
    collection: 'products',
    path: '/products',
    invalidId: 'woocommerce_rest_product_invalid_id',
    unique: { member: 'sku', code: 'product_invalid_sku' },
  },
  {
    collection: 'orders',
    path: '/orders',
    invalidId: 'woocommerce_rest_shop_order_invalid_id',
    rows: 'line_items',
  },
  {
    collection: 'customers',
    path: '/customers',
    invalidId: 'woocommerce_rest_invalid_id',
    unique: { member: 'email', code: 'registration-error-email-exists' },
  },
];
/** Where a plugin of ours would keep its reference; WooCommerce has no field for it, and cannot be searched by it. */
const REF_META = '_crosswalk_id';

/** The REST API v3 of WooCommerce: Basic with key and secret, errors as code, message and `data.status`. */
export const woocommerce: Dialect = {
  nameId: (_, number) => String(number),
  settings: {
    auth: { scheme: 'basic', user: 'ck_sample', password: 'cs_sample' },
    idempotency: 'none',
  },
  answer(parts, request) {
    const path = request.url.pathname.startsWith(ROOT) ? request.url.pathname.slice(ROOT.length) : '';
    const resource = RESOURCES.find((known) => path.replace(/\/\d+$/, '') === known.path);
    if (resource === undefined) return NO_ROUTE;
    const id = path.slice(resource.path.length + 1);
    if (id !== '') return answerOne(parts, request, resource, id);
    if (request.method === 'GET') return list(parts, request, resource);
    return request.method === 'POST' ? create(parts, request, resource) : NO_ROUTE;
  },
  refuse: (refusal) =>
    refusal === 'unauthorized'
      ? refused(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.')
      : refused(429, 'too_many_requests', 'Too many requests.'),
};

function refused(status: number, code: string, message: string, data: object = {}): Answer {
  return json(status, { code, message, data: { status, ...data } });
}

const NO_ROUTE = refused(404, 'rest_no_route', 'No route was found matching the URL and request method.');

/** By the member that is unique, as `?sku=` and `?email=`; orders cannot be looked up by anything of ours. */
function list({ store }: DialectParts, { url }: SystemRequest, { collection, unique }: Resource): Answer {
  const asked = unique === undefined ? null : url.searchParams.get(unique.member);
  const records = store.all(collection).filter(({ raw }) => {
    return unique === undefined || asked === null || scalarOf(membersOf(raw).get(unique.member)) === asked;
  });
  const shown = records.slice(0, Number(url.searchParams.get('per_page') ?? 10)).map(view);
  const found = records[0]?.id;
  const headers = { 'x-wp-total': String(records.length) };
  return { status: 200, body: `[${shown.join(',')}]`, headers, ...(found === undefined ? {} : { recordId: found }) };
}

function create(parts: DialectParts, request: SystemRequest, resource: Resource): Answer {
  const former = parts.store.createdUnder(resource.collection, request.idempotencyKey);
  if (former !== undefined) return { status: 201, body: view(former) };
  const body = written(parts, resource, request.body);
  if ('status' in body) return body;
  const { record } = parts.store.create(resource.collection, body, request.idempotencyKey);
  return { status: 201, body: view(record) };
}

function answerOne(parts: DialectParts, request: SystemRequest, resource: Resource, id: string): Answer {
  const record = parts.store.find(resource.collection, id);
  // A look answers 404 for an unknown id and a change 400; the code says that it is the same thing.
  const missingStatus = request.method === 'PUT' && resource.collection !== 'categories' ? 400 : 404;
  if (record === undefined) return refused(missingStatus, resource.invalidId, 'Invalid ID.');
  if (request.method === 'GET') return { status: 200, body: view(record), recordId: id };
  if (request.method === 'DELETE') return remove(parts, request, resource, record);
  if (!['PUT', 'PATCH', 'POST'].includes(request.method)) return NO_ROUTE;
  const body = written(parts, resource, request.body, record);
  if ('status' in body) return body;
  return { status: 200, body: view(parts.store.replace(resource.collection, id, body) ?? record) };
}

/** Customers and categories have no trash; what has one goes there without `force`. */
function remove(parts: DialectParts, { url }: SystemRequest, resource: Resource, record: StoredRecord): Answer {
  const { collection } = resource;
  const isForced = url.searchParams.get('force') === 'true';
  if (!isForced && (collection === 'customers' || collection === 'categories'))
    return refused(501, 'woocommerce_rest_trash_not_supported', 'Resource does not support trashing.');
  if (isForced) parts.store.remove(collection, record.id);
  else
    parts.store.replace(collection, record.id, { raw: mergedText(record.raw, '{"status":"trash"}'), ref: record.ref });
  return { status: 200, body: view(record) };
}

/** The record after a write, or why it is refused. A write names what it changes; the rest stays. */
function written(parts: DialectParts, resource: Resource, text: string, former?: StoredRecord): RecordBody | Answer {
  if (!isObjectText(text)) return refused(400, 'rest_invalid_json', 'Invalid JSON body passed.');
  const given = membersOf(text);
  given.delete('id');
  const holder = holderOf(parts, resource, given, former?.id);
  if (resource.unique !== undefined && holder !== undefined)
    return refused(400, resource.unique.code, `The ${resource.unique.member} is already in use.`, {
      resource_id: Number(holder.id),
    });
  const rows = resource.rows === undefined ? undefined : given.get(resource.rows);
  if (resource.rows !== undefined && rows !== undefined) {
    const rules = { idName: 'id', nextId: () => String(parts.store.takeNumber()) };
    const after = rowsAfter(membersOf(former?.raw ?? '{}').get(resource.rows), rows, rules);
    if (after === undefined)
      return refused(400, 'woocommerce_rest_invalid_item_id', 'Order item ID provided is not associated with order.');
    given.set(resource.rows, after);
  }
  const raw = mergedText(former?.raw ?? '{}', objectOf(given));
  return { raw, ref: refIn(raw) };
}

/** Another record with the value that has to be unique. */
function holderOf(
  { store }: DialectParts,
  { collection, unique }: Resource,
  given: ReadonlyMap<string, string>,
  id: string | undefined,
): StoredRecord | undefined {
  const value = unique === undefined ? undefined : scalarOf(given.get(unique.member));
  if (unique === undefined || value === undefined || value === '') return undefined;
  return store
    .all(collection)
    .find((record) => record.id !== id && scalarOf(membersOf(record.raw).get(unique.member)) === value);
}

function refIn(raw: string): string | null {
  const { meta_data: metas } = JSON.parse(raw) as { meta_data?: { key?: unknown; value?: unknown }[] };
  const value = Array.isArray(metas) ? metas.find(({ key }) => key === REF_META)?.value : undefined;
  return typeof value === 'string' ? value : null;
}

function view(record: StoredRecord): string {
  return objectOf([['id', record.id], ...membersOf(record.raw)]);
}
