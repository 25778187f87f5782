import { headerOf, NO_CONTENT, type Answer, type SystemRequest } from '../answer.js';
import { isObjectText, membersOf, mergedText, objectOf, scalarOf } from '../json-text.js';
import type { RecordBody, StoredRecord } from '../record-store.js';
import { rowIds, rowsAfter } from './child-rows.js';
import type { Dialect, DialectParts } from './dialect.js';
import { etagOf, failedPrecondition } from './etag.js';
import { entityAnswer, entityText, odataError, type EntitySet } from './odata-answer.js';
import { readFilter, readODataPath } from './odata-path.js';
import { holderOfRef } from './unique-refs.js';

const SETS: readonly EntitySet[] = [
  {
    name: 'A_BusinessPartner',
    collection: 'customers',
    keyName: 'BusinessPartner',
    refFields: ['YY1_Crosswalk_bus', 'SearchTerm1'],
  },
  {
    name: 'A_SalesOrder',
    collection: 'orders',
    keyName: 'SalesOrder',
    refFields: ['PurchaseOrderByCustomer'],
    rows: { navigation: 'to_Item', idName: 'SalesOrderItem' },
  },
  { name: 'A_Product', collection: 'products', keyName: 'Product', refFields: ['ProductOldID'] },
];

/** Facets of the real metadata, where a longer text is refused. */
const LENGTHS_MAX: ReadonlyMap<string, number> = new Map([
  ['SearchTerm1', 20],
  ['PurchaseOrderByCustomer', 35],
]);

/** OData V2 as SAP Gateway speaks it, with the ETags of S/4HANA's own services (SAP KBA 3514624). */
export const odata: Dialect = {
  nameId: (_, number) => String(number),
  settings: {
    auth: { scheme: 'csrf', user: 'HUB', password: 'sap-password' },
    idempotency: 'none',
    require_if_match: true,
  },
  answer(parts, received) {
    // A token may be fetched with HEAD; HTTP leaves the body out by itself.
    const request = received.method === 'HEAD' ? { ...received, method: 'GET' } : received;
    const answer = answerService(parts, request);
    if (answer.body === '' || acceptsJson(request)) return answer;
    return { ...answer, body: '<?xml version="1.0"?><entry/>', headers: { ...answer.headers, ...ATOM } };
  },
  refuse: (refusal) =>
    refusal === 'unauthorized'
      ? {
          status: 401,
          body: '<html><h1>Anmeldung fehlgeschlagen</h1></html>',
          headers: { 'content-type': 'text/html' },
        }
      : odataError(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
};

function answerService(parts: DialectParts, request: SystemRequest): Answer {
  const path = readODataPath(request.url.pathname);
  if (path === undefined) return odataError(400, '005056A509B11EE1B9A8FEC11C23378E', 'Malformed URI literal syntax');
  if (path.set === undefined)
    return { status: 200, body: JSON.stringify({ d: { EntitySets: SETS.map(({ name }) => name) } }) };
  const set = SETS.find(({ name }) => name === path.set);
  if (set === undefined) return odataError(404, '005056A509B11ED19BEB6513AC6E1C5D', `Resource not found: ${path.set}`);
  if (path.key !== undefined) return answerEntity(parts, request, set, path.key);
  if (request.method === 'GET') return list(parts, request, set);
  if (request.method === 'POST') return create(parts, request, set);
  return odataError(405, '/IWFND/CM_MGW/096', `Method ${request.method} is not supported`);
}

const ATOM = { 'content-type': 'application/atom+xml;charset=utf-8' };

/** Whoever does not ask for JSON gets Atom. */
function acceptsJson({ headers, url }: SystemRequest): boolean {
  return url.searchParams.get('$format') === 'json' || (headerOf(headers, 'accept') ?? '').includes('json');
}

function list({ store }: DialectParts, { url }: SystemRequest, set: EntitySet): Answer {
  const terms = readFilter(url.searchParams.get('$filter') ?? '');
  const isFiltered = url.searchParams.has('$filter');
  if (isFiltered && terms === undefined) return odataError(400, '005056A509B11EE1B9A8FEC11C21578E', 'Invalid filter');
  const records = store.all(set.collection).filter(({ raw, id }) => {
    const members = membersOf(raw).set(set.keyName, JSON.stringify(id));
    return !isFiltered || terms?.every(({ field, value }) => scalarOf(members.get(field)) === value) === true;
  });
  const top = Number(url.searchParams.get('$top') ?? records.length);
  const shown = records.slice(0, top).map((record) => entityText(set, record, expandOf(url)));
  const found = records[0]?.id;
  const body = `{"d":{"results":[${shown.join(',')}]}}`;
  return { status: 200, body, ...(found === undefined ? {} : { recordId: found }) };
}

function create(parts: DialectParts, request: SystemRequest, set: EntitySet): Answer {
  const body = written(set, '{}', request.body);
  if ('status' in body) return body;
  if (holderOfRef(parts, set.collection, body.ref, request.idempotencyKey) !== undefined)
    return odataError(400, 'R11/103', 'An object with this reference already exists');
  const { record } = parts.store.create(set.collection, body, request.idempotencyKey);
  return entityAnswer(201, set, record, set.rows === undefined ? [] : [set.rows.navigation]);
}

function answerEntity(parts: DialectParts, request: SystemRequest, set: EntitySet, key: string): Answer {
  const record = parts.store.find(set.collection, key);
  if (record === undefined)
    return odataError(404, '/IWBEP/CM_MGW_RT/020', `Resource not found for segment '${set.name}Type'`);
  if (request.method === 'GET') return entityAnswer(200, set, record, expandOf(request.url));
  const failed = failedPrecondition(parts, request, record);
  if (failed === 428) return odataError(428, '/IWFND/CM_MGW/498', 'Precondition required: If-Match is missing');
  if (failed === 412) return odataError(412, '/IWFND/CM_MGW/500', 'Precondition failed');
  if (request.method === 'DELETE') {
    parts.store.remove(set.collection, key);
    return NO_CONTENT;
  }
  return update(parts, request, set, record);
}

/** PUT replaces all properties but the rows; PATCH and the older MERGE change those that are named. */
function update(parts: DialectParts, request: SystemRequest, set: EntitySet, record: StoredRecord): Answer {
  if (!['PUT', 'PATCH', 'MERGE'].includes(request.method))
    return odataError(405, '/IWFND/CM_MGW/096', `Method ${request.method} is not supported`);
  const rows = set.rows === undefined ? undefined : membersOf(record.raw).get(set.rows.navigation);
  const kept = set.rows === undefined || rows === undefined ? '{}' : objectOf([[set.rows.navigation, rows]]);
  const body = written(set, request.method === 'PUT' ? kept : record.raw, request.body);
  if ('status' in body) return body;
  const after = parts.store.replace(set.collection, record.id, body) ?? record;
  return { ...NO_CONTENT, headers: { etag: etagOf(after) } };
}

/** The record after a write, or why it is refused. Rows are given as a list or as `{ results: [] }`. */
function written(set: EntitySet, former: string, text: string): RecordBody | Answer {
  if (!isObjectText(text)) return odataError(400, '/IWCOR/CX_OD_BAD_REQUEST/', 'Error while parsing the payload');
  const given = membersOf(text);
  for (const [name, max] of LENGTHS_MAX)
    if ((scalarOf(given.get(name)) ?? '').length > max)
      return odataError(400, '/IWBEP/CM_MGW/038', `Property ${name} has at most ${max} characters`);
  // What was read may be sent back: the number is the system's own, whatever stands there.
  given.delete('__metadata');
  given.delete(set.keyName);
  const rows = set.rows === undefined ? undefined : given.get(set.rows.navigation);
  if (set.rows !== undefined && rows !== undefined) {
    const { navigation, idName } = set.rows;
    const known = membersOf(former).get(navigation);
    const list = rows.startsWith('{') ? (membersOf(rows).get('results') ?? '[]') : rows;
    let count = highestOf(rowIds(known, { idName }));
    const after = rowsAfter(known, list, { idName, nextId: () => JSON.stringify(String((count += 10))) });
    if (after === undefined) return odataError(404, '/IWBEP/CM_MGW_RT/020', `There is no such ${idName}`);
    given.set(navigation, after);
  }
  const raw = mergedText(former, objectOf(given));
  const members = membersOf(raw);
  const refs = set.refFields.map((field) => scalarOf(members.get(field))).filter((ref) => ref !== undefined);
  return { raw, ref: refs[0] ?? null };
}

/** Items are numbered 10, 20, 30 …, as text. */
function highestOf(ids: readonly string[]): number {
  return Math.max(0, ...ids.map((id) => Number(scalarOf(id))));
}

function expandOf(url: URL): readonly string[] {
  return (url.searchParams.get('$expand') ?? '').split(',');
}
