import { decodeSegment, json, NO_CONTENT, type Answer, type SystemRequest } from '../answer.js';
import { isObjectText, membersOf, mergedText, objectOf, scalarOf } from '../json-text.js';
import type { Collection, RecordBody, StoredRecord } from '../record-store.js';
import type { Dialect, DialectParts } from './dialect.js';
import { holderOfRef } from './unique-refs.js';

/** Our external id field, the same on every object. It is not unique, as long as `unique_refs` does not say so. */
const EXTERNAL_ID = 'Crosswalk__c';
const OBJECTS = new Map<string, { readonly collection: Collection; readonly prefix: string }>([
  ['Account', { collection: 'customers', prefix: '001' }],
  ['Order', { collection: 'orders', prefix: '801' }],
  ['Product2', { collection: 'products', prefix: '01t' }],
]);
/** Up to this version an upsert that changed a record answered 204, and its id was not told. */
const LAST_SILENT_VERSION = 45;

/** Records by id and by external id, as in the REST API of Salesforce: sObject Rows, sObject Rows by External ID. */
export const salesforce: Dialect = {
  nameId(collection, number) {
    const prefix = [...OBJECTS.values()].find((object) => object.collection === collection)?.prefix ?? 'a00';
    return `${prefix}${String(number).padStart(12, '0')}AAA`;
  },
  settings: {
    auth: {
      scheme: 'oauth2-client-credentials',
      token_path: '/services/oauth2/token',
      client_id: 'hub',
      client_secret: 'salesforce-secret',
    },
    idempotency: 'none',
  },
  answer(parts, request) {
    const match = /^\/services\/data\/v(\d+)\.0\/sobjects\/(\w+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
      request.url.pathname,
    );
    const object = OBJECTS.get(match?.[2] ?? '');
    if (match === null || object === undefined) return NOT_FOUND;
    const place: Place = { parts, name: match[2] ?? '', collection: object.collection, version: Number(match[1]) };
    const [, , , first, value] = match;
    if (first === undefined) return request.method === 'POST' ? create(place, request) : METHOD_NOT_ALLOWED;
    if (value !== undefined) return byExternalId(place, request, { field: first, value: decodeSegment(value) });
    const record = parts.store.find(place.collection, decodeSegment(first));
    return record === undefined ? NOT_FOUND : byId(place, request, record);
  },
  refuse: (refusal) =>
    refusal === 'unauthorized'
      ? refused(401, 'INVALID_SESSION_ID', 'Session expired or invalid')
      : refused(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.'),
};

interface Place {
  readonly parts: DialectParts;
  readonly name: string;
  readonly collection: Collection;
  readonly version: number;
}

/** Errors are a list, whatever their number. */
function refused(status: number, errorCode: string, message: string, rest: object = {}): Answer {
  return json(status, [{ message, errorCode, ...rest }]);
}

const NOT_FOUND = refused(404, 'NOT_FOUND', 'The requested resource does not exist');
const METHOD_NOT_ALLOWED = refused(405, 'METHOD_NOT_ALLOWED', 'HTTP Method not allowed');

function byExternalId(
  place: Place,
  request: SystemRequest,
  { field, value }: { readonly field: string; readonly value: string },
): Answer {
  if (field !== EXTERNAL_ID)
    return refused(400, 'INVALID_FIELD', `Provided external ID field does not exist: ${field}`);
  const { store } = place.parts;
  const [record, ...others] = store.findByRef(place.collection, value);
  if (others.length > 0)
    return json(
      300,
      store.findByRef(place.collection, value).map(({ id }) => urlOf(place, id)),
    );
  if (request.method !== 'PATCH') return record === undefined ? NOT_FOUND : byId(place, request, record);
  if (membersOfBody(request.body)?.has(EXTERNAL_ID) === true)
    return refused(400, 'INVALID_FIELD', `The ${EXTERNAL_ID} field should not be specified in the sobject data.`);
  if (record !== undefined) return upserted(place, change(place, request.body, record), record);
  if (request.url.searchParams.get('updateOnly') === 'true') return NOT_FOUND;
  return create(place, request, [EXTERNAL_ID, JSON.stringify(value)]);
}

function byId(place: Place, request: SystemRequest, record: StoredRecord): Answer {
  switch (request.method) {
    case 'GET':
      return { status: 200, body: view(place, record), recordId: record.id };
    case 'PATCH':
      return change(place, request.body, record) ?? NO_CONTENT;
    case 'DELETE':
      place.parts.store.remove(place.collection, record.id);
      return NO_CONTENT;
    default:
      return METHOD_NOT_ALLOWED;
  }
}

function create(place: Place, request: SystemRequest, ...more: readonly (readonly [string, string])[]): Answer {
  const members = membersOfBody(request.body);
  if (members === undefined) return MALFORMED;
  const body = bodyOf(objectOf([...members, ...more]));
  if (place.collection === 'customers' && !members.has('Name'))
    return refused(400, 'REQUIRED_FIELD_MISSING', 'Required fields are missing: [Name]', { fields: ['Name'] });
  const { idempotencyKey } = request;
  if (holderOfRef(place.parts, place.collection, body.ref, idempotencyKey) !== undefined)
    return refused(400, 'DUPLICATES_DETECTED', 'Use one of these records?');
  const { record } = place.parts.store.create(place.collection, body, idempotencyKey);
  return json(201, { id: record.id, success: true, errors: [], ...told(place, true) });
}

/** Undefined where it was done; otherwise why it was not. */
function change(place: Place, text: string, record: StoredRecord): Answer | undefined {
  if (membersOfBody(text) === undefined) return MALFORMED;
  place.parts.store.replace(place.collection, record.id, bodyOf(mergedText(record.raw, text)));
  return undefined;
}

function upserted(place: Place, failure: Answer | undefined, { id }: StoredRecord): Answer {
  if (failure !== undefined) return failure;
  if (place.version <= LAST_SILENT_VERSION) return NO_CONTENT;
  return json(200, { id, success: true, errors: [], ...told(place, false) });
}

function told({ version }: Place, created: boolean): { created?: boolean } {
  return version > LAST_SILENT_VERSION ? { created } : {};
}

const MALFORMED = refused(400, 'JSON_PARSER_ERROR', 'Unexpected character in the body');

function membersOfBody(text: string): Map<string, string> | undefined {
  return isObjectText(text) ? membersOf(text) : undefined;
}

function bodyOf(raw: string): RecordBody {
  return { raw, ref: scalarOf(membersOf(raw).get(EXTERNAL_ID)) ?? null };
}

function view(place: Place, record: StoredRecord): string {
  const attributes = JSON.stringify({ type: place.name, url: urlOf(place, record.id) });
  return objectOf([['attributes', attributes], ['Id', JSON.stringify(record.id)], ...membersOf(record.raw)]);
}

function urlOf({ name, version }: Place, id: string): string {
  return `/services/data/v${version}.0/sobjects/${name}/${id}`;
}
