import { COLLECTIONS, type Collection, type RecordBody, type RecordStore, type StoredRecord } from './record-store.js';

export interface RecordRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly idempotencyKey: string | undefined;
}

export interface RecordAnswer {
  readonly status: number;
  readonly body: string;
  /** Whether this request created or replaced a record. */
  readonly applied: boolean;
  readonly recordId: string | null;
}

/**
 * All that a target has to offer a hub: create (which honours an idempotency key), look up by the hub's reference,
 * read, and replace. Paths are `/{collection}` and `/{collection}/{id}`.
 */
export function answerRecordRequest(store: RecordStore, request: RecordRequest): RecordAnswer {
  const [, name, id, ...rest] = request.url.pathname.split('/').map(decodeSegment);
  const collection = COLLECTIONS.find((known) => known === name);
  if (collection === undefined || rest.length > 0) return refuse(404, `known are /${COLLECTIONS.join(', /')}`);

  if (request.method === 'GET')
    return id === undefined ? list(store, collection, request.url) : read(store, collection, id);
  if (request.method === 'POST' && id === undefined) return create(store, collection, request);
  if (request.method === 'PUT' && id !== undefined) return replace(store, collection, id, request.body);
  return refuse(405, `${request.method} is not offered here`);
}

function create(store: RecordStore, collection: Collection, request: RecordRequest): RecordAnswer {
  const body = readRecordBody(request.body);
  if (typeof body === 'string') return refuse(400, body);
  const { record, isNew } = store.create(collection, body, request.idempotencyKey);
  return { status: isNew ? 201 : 200, body: textOf(record), applied: isNew, recordId: record.id };
}

function list(store: RecordStore, collection: Collection, url: URL): RecordAnswer {
  const ref = url.searchParams.get('ref');
  const records = ref === null ? store.all(collection) : store.findByRef(collection, ref);
  return { status: 200, body: `[${records.map(textOf).join(',')}]`, applied: false, recordId: records[0]?.id ?? null };
}

function read(store: RecordStore, collection: Collection, id: string): RecordAnswer {
  const record = store.find(collection, id);
  if (record === undefined) return refuse(404, `there is no ${id} in ${collection}`);
  return { status: 200, body: textOf(record), applied: false, recordId: id };
}

function replace(store: RecordStore, collection: Collection, id: string, text: string): RecordAnswer {
  const body = readRecordBody(text);
  if (typeof body === 'string') return refuse(400, body);
  const record = store.replace(collection, id, body);
  if (record === undefined) return refuse(404, `there is no ${id} in ${collection}`);
  return { status: 200, body: textOf(record), applied: true, recordId: id };
}

/** Returns what is wrong as text where the body is no record. */
function readRecordBody(text: string): RecordBody | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the body is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'the body must be a JSON object';
  if (Object.hasOwn(value, 'id')) return 'ids are given by this system: the body must not hold an id';
  const ref = 'ref' in value && typeof value.ref === 'string' ? value.ref : null;
  return { raw: text.trim(), ref };
}

/** The record with its id in front; everything else is the text that arrived, digit for digit. */
function textOf(record: StoredRecord): string {
  const members = record.raw.slice(1).trimStart();
  return `{"id":${JSON.stringify(record.id)}${members === '}' ? '' : ','}${members}`;
}

function refuse(status: number, error: string): RecordAnswer {
  return { status, body: JSON.stringify({ error }), applied: false, recordId: null };
}

/** Text that is not percent-encoded properly names nothing here and is looked up as it stands. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
