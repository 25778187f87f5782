import { decodeSegment, json, NO_CONTENT, type Answer, type SystemRequest } from '../answer.js';
import { elementsOf, isObjectText, membersOf, mergedText, objectOf, scalarOf } from '../json-text.js';
import type { Collection, StoredRecord } from '../record-store.js';
import type { Dialect, DialectParts } from './dialect.js';

/** Our own property, with unique values where `unique_refs` says so. */
const REF = 'crosswalk_id';
const OBJECTS = new Map<string, { readonly collection: Collection; readonly word: string; readonly unique?: string }>([
  ['contacts', { collection: 'customers', word: 'Contact', unique: 'email' }],
  ['deals', { collection: 'orders', word: 'Deal' }],
  ['products', { collection: 'products', word: 'Product' }],
]);

/** CRM objects of HubSpot's API v3: create, read, change, archive, and search by the value of a property. */
export const hubspot: Dialect = {
  nameId: (_, number) => String(number),
  settings: { auth: { scheme: 'bearer', token: 'pat-sample' }, idempotency: 'none' },
  answer(parts, request) {
    const [, , , , name = '', id, ...others] = request.url.pathname.split('/').map(decodeSegment);
    const object = OBJECTS.get(name);
    const isKnown = request.url.pathname.startsWith('/crm/v3/objects/') && others.length === 0;
    if (!isKnown || object === undefined)
      return refused(404, 'OBJECT_NOT_FOUND', `Unable to infer object type from: ${name}`);
    const place: Place = { parts, ...object };
    if (request.method === 'POST' && id === undefined) return create(place, request);
    if (request.method === 'POST' && id === 'search') return search(place, request.body);
    if (id === undefined) return refused(405, 'VALIDATION_ERROR', 'Method not allowed');
    return answerOne(place, request, id);
  },
  refuse: (refusal) =>
    refusal === 'unauthorized'
      ? refused(401, 'INVALID_AUTHENTICATION', 'Authentication credentials not found.')
      : json(429, {
          status: 'error',
          message: 'You have reached your secondly limit.',
          errorType: 'RATE_LIMIT',
          correlationId: CORRELATION_ID,
          policyName: 'SECONDLY',
        }),
};

interface Place {
  readonly parts: DialectParts;
  readonly collection: Collection;
  readonly word: string;
  readonly unique?: string;
}

const CORRELATION_ID = '3c20d4ad-0000-4000-8000-000000000000';
const SEARCH_LIMIT = 10;

function refused(status: number, category: string, message: string): Answer {
  return json(status, { status: 'error', message, correlationId: CORRELATION_ID, category });
}

const MALFORMED = refused(400, 'VALIDATION_ERROR', 'Invalid input JSON');

/** The id of the record that is already there stands in the message, and nowhere else. */
function exists({ word }: Place, { id }: StoredRecord): Answer {
  return refused(409, 'CONFLICT', `${word} already exists. Existing ID: ${id}`);
}

function create(place: Place, { body: text, idempotencyKey }: SystemRequest): Answer {
  const properties = propertiesOf(text);
  if (properties === undefined) return MALFORMED;
  const isRepetition = place.parts.store.createdUnder(place.collection, idempotencyKey) !== undefined;
  const holder = isRepetition ? undefined : holderOf(place, properties);
  if (holder !== undefined) return exists(place, holder);
  const body = { raw: properties, ref: refIn(properties) };
  const { record } = place.parts.store.create(place.collection, body, idempotencyKey);
  return { status: 201, body: view(record, []) };
}

function answerOne(place: Place, request: SystemRequest, named: string): Answer {
  const { searchParams: asked } = request.url;
  const idProperty = asked.get('idProperty');
  const record =
    idProperty === null
      ? place.parts.store.find(place.collection, named)
      : place.parts.store.all(place.collection).find(({ raw }) => scalarOf(membersOf(raw).get(idProperty)) === named);
  if (request.method === 'DELETE') {
    // Archiving what is not there, or not any more, is no error.
    if (record !== undefined) place.parts.store.remove(place.collection, record.id);
    return NO_CONTENT;
  }
  if (record === undefined) return refused(404, 'OBJECT_NOT_FOUND', 'resource not found');
  if (request.method === 'GET')
    return { status: 200, body: view(record, (asked.get('properties') ?? '').split(',')), recordId: record.id };
  return request.method === 'PATCH'
    ? change(place, request.body, record)
    : refused(405, 'VALIDATION_ERROR', 'Method not allowed');
}

function change(place: Place, text: string, record: StoredRecord): Answer {
  const properties = propertiesOf(text);
  if (properties === undefined) return MALFORMED;
  const holder = holderOf(place, properties, record.id);
  if (holder !== undefined) return exists(place, holder);
  const raw = mergedText(record.raw, properties);
  const after = place.parts.store.replace(place.collection, record.id, { raw, ref: refIn(raw) }) ?? record;
  return { status: 200, body: view(after, []) };
}

/** Groups are alternatives, the filters of one must all hold. Known are EQ and HAS_PROPERTY. */
function search(place: Place, text: string): Answer {
  if (!isObjectText(text)) return MALFORMED;
  const asked = membersOf(text);
  const groups = elementsOf(asked.get('filterGroups') ?? '[]').map((group) =>
    elementsOf(membersOf(group).get('filters') ?? '[]').map((filter) => membersOf(filter)),
  );
  const records = place.parts.store.all(place.collection).filter(({ raw, id }) => {
    const members = membersOf(raw).set('hs_object_id', JSON.stringify(id));
    return groups.length === 0 || groups.some((filters) => filters.every((filter) => holds(filter, members)));
  });
  const properties = elementsOf(asked.get('properties') ?? '[]').map((name) => scalarOf(name) ?? '');
  const limit = Number(asked.get('limit') ?? SEARCH_LIMIT);
  const results = records.slice(0, limit).map((record) => view(record, properties));
  const found = records[0]?.id;
  const body = `{"total":${records.length},"results":[${results.join(',')}]}`;
  return { status: 200, body, ...(found === undefined ? {} : { recordId: found }) };
}

function holds(filter: ReadonlyMap<string, string>, members: ReadonlyMap<string, string>): boolean {
  const has = scalarOf(members.get(scalarOf(filter.get('propertyName')) ?? ''));
  if (scalarOf(filter.get('operator')) === 'HAS_PROPERTY') return has !== undefined;
  return has !== undefined && has === scalarOf(filter.get('value'));
}

/** Another record with a value that has to be unique. */
function holderOf({ parts, collection, unique }: Place, properties: string, id?: string): StoredRecord | undefined {
  const members = membersOf(properties);
  const names = [unique, parts.settings.unique_refs ? REF : undefined].filter((name) => name !== undefined);
  return parts.store.all(collection).find(
    (record) =>
      record.id !== id &&
      names.some((name) => {
        const value = scalarOf(members.get(name));
        return value !== undefined && scalarOf(membersOf(record.raw).get(name)) === value;
      }),
  );
}

function propertiesOf(text: string): string | undefined {
  const properties = isObjectText(text) ? membersOf(text).get('properties') : undefined;
  return properties?.startsWith('{') === true ? properties : undefined;
}

function refIn(properties: string): string | null {
  return scalarOf(membersOf(properties).get(REF)) ?? null;
}

/** Every value is text in an answer, whatever was sent. Without names all properties are told. */
function view(record: StoredRecord, names: readonly string[]): string {
  const members = [...membersOf(record.raw)].filter(([name]) => names.join('') === '' || names.includes(name));
  const properties = members.map(([name, value]): [string, string] => [name, asText(value)]);
  return objectOf([
    ['id', JSON.stringify(record.id)],
    ['properties', objectOf([...properties, ['hs_object_id', JSON.stringify(record.id)]])],
    ['updatedAt', JSON.stringify(record.updated_at)],
    ['archived', 'false'],
  ]);
}

function asText(value: string): string {
  return value.startsWith('"') || value === 'null' ? value : JSON.stringify(value);
}
