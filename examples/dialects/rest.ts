import { decodeSegment, json, NO_CONTENT, type Answer, type SystemRequest } from '../answer.js';
import { isObjectText, membersOf, mergedText, scalarOf } from '../json-text.js';
import { COLLECTIONS, type Collection, type RecordBody, type StoredRecord, type SystemName } from '../record-store.js';
import type { Dialect, DialectParts } from './dialect.js';
import { etagOf, failedPrecondition } from './etag.js';
import { holderOfRef } from './unique-refs.js';

/** Each system speaks of the same things under ids of its own. */
const ID_PREFIXES: Record<SystemName, Record<Collection, string>> = {
  erp: {
    customers: 'ERP-C',
    orders: 'ERP-O',
    payments: 'ERP-P',
    stock: 'ERP-S',
    products: 'ERP-A',
    categories: 'ERP-K',
  },
  wms: {
    customers: 'WMS-CUST-',
    orders: 'WMS-ORD-',
    payments: 'WMS-PAY-',
    stock: 'WMS-STK-',
    products: 'WMS-ART-',
    categories: 'WMS-CAT-',
  },
};

/** Whoever writes a small target by hand writes this: JSON records under `/{collection}` and `/{collection}/{id}`. */
export function rest(system: SystemName): Dialect {
  return {
    nameId: (collection, number) => `${ID_PREFIXES[system][collection]}${number}`,
    settings: {},
    answer: (parts, request) => answerRest(parts, request, JSON.stringify),
    refuse: refuseRest,
  };
}

/**
 * Create (which honours an idempotency key), look up by any member, read, replace, change, remove.
 *
 * @param idText how an id is written in JSON.
 */
export function answerRest(parts: DialectParts, request: SystemRequest, idText: (id: string) => string): Answer {
  const [, name, id, ...others] = request.url.pathname.split('/').map(decodeSegment);
  const collection = COLLECTIONS.find((known) => known === name);
  if (collection === undefined || others.length > 0) return refuse(404, `known are /${COLLECTIONS.join(', /')}`);
  const found = parts.store.find(collection, id);
  const place: Place = { parts, collection, textOf: (record) => textOf(record, idText) };
  if (id === undefined) {
    if (request.method === 'GET') return list(place, request.url);
    if (request.method === 'POST') return create(place, request);
    return refuse(405, `${request.method} is not offered here`);
  }
  if (!['GET', 'PUT', 'PATCH', 'DELETE'].includes(request.method))
    return refuse(405, `${request.method} is not offered here`);
  if (request.method === 'GET' || found === undefined) return read(place, id, found);
  return write(place, request, found);
}

export function refuseRest(refusal: 'unauthorized' | 'throttled'): Answer {
  return refusal === 'unauthorized' ? refuse(401, 'who are you?') : refuse(429, 'too many requests');
}

/** Returns what is wrong as text where the body is no record. */
export function readRecordBody(text: string): RecordBody | string {
  try {
    JSON.parse(text);
  } catch {
    return 'the body is not JSON';
  }
  if (!isObjectText(text)) return 'the body must be a JSON object';
  const members = membersOf(text);
  if (members.has('id')) return 'ids are given by this system: the body must not hold an id';
  return { raw: text.trim(), ref: scalarOf(members.get('ref')) ?? scalarOf(members.get('reference')) ?? null };
}

interface Place {
  readonly parts: DialectParts;
  readonly collection: Collection;
  readonly textOf: (record: StoredRecord) => string;
}

function create({ parts, collection, textOf }: Place, request: SystemRequest): Answer {
  const body = readRecordBody(request.body);
  if (typeof body === 'string') return refuse(400, body);
  const { idempotencyKey } = request;
  const holder = holderOfRef(parts, collection, body.ref, idempotencyKey);
  if (holder !== undefined) return json(409, { error: 'ref must be unique', id: holder.id });
  const { record, isNew } = parts.store.create(collection, body, idempotencyKey);
  return { status: isNew ? 201 : 200, body: textOf(record), recordId: record.id };
}

/** Every parameter names a member and the value that it must have. */
function list({ parts: { store }, collection, textOf }: Place, url: URL): Answer {
  const ref = url.searchParams.get('ref');
  const candidates = ref === null ? store.all(collection) : store.findByRef(collection, ref);
  const records = candidates.filter((record) => {
    const members = membersOf(record.raw);
    return [...url.searchParams].every(([name, value]) => scalarOf(members.get(name)) === value);
  });
  const found = records[0]?.id;
  const body = `[${records.map(textOf).join(',')}]`;
  return { status: 200, body, ...(found === undefined ? {} : { recordId: found }) };
}

function read({ collection, textOf }: Place, id: string, record: StoredRecord | undefined): Answer {
  if (record === undefined) return refuse(404, `there is no ${id} in ${collection}`);
  return { status: 200, body: textOf(record), headers: { etag: etagOf(record) }, recordId: id };
}

function write({ parts, collection, textOf }: Place, request: SystemRequest, former: StoredRecord): Answer {
  const failed = failedPrecondition(parts, request, former);
  if (failed === 412) return refuse(412, 'it was changed meanwhile');
  if (failed === 428) return refuse(428, 'If-Match is needed');
  if (request.method === 'DELETE') {
    parts.store.remove(collection, former.id);
    return NO_CONTENT;
  }
  const body = readRecordBody(request.body);
  if (typeof body === 'string') return refuse(400, body);
  const changed =
    request.method === 'PUT' ? body : { raw: mergedText(former.raw, body.raw), ref: body.ref ?? former.ref };
  const record = parts.store.replace(collection, former.id, changed) ?? former;
  return { status: 200, body: textOf(record), headers: { etag: etagOf(record) } };
}

/** The record with its id in front; everything else is the text that arrived, digit for digit. */
function textOf(record: StoredRecord, idText: (id: string) => string): string {
  const members = record.raw.slice(1).trimStart();
  return `{"id":${idText(record.id)}${members === '}' ? '' : ','}${members}`;
}

function refuse(status: number, error: string): Answer {
  return json(status, { error });
}
