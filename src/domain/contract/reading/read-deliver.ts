import type { Target, TargetCall, TargetEntity } from '../contract.js';
import type { Pointer } from '../pointer.js';
import { requireKnownKey } from './known-name.js';
import type { Place } from './place.js';
import { readBaseUrl } from './read-base-url.js';
import { readBody } from './read-body.js';
import { readDurationMs } from './read-duration.js';
import { readPath, type Hole } from './read-path.js';
import { readPointer } from './read-pointer.js';
import type { Reading } from './reading.js';

const TIMEOUT_MS_DEFAULT = 10_000;
const METHOD_BY_VERB = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH' } as const;
const VERBS = ['get', 'post', 'put', 'patch'] as const;
/** Stands in for a pointer that could not be read; a contract with one is never used. */
const UNREAD: Pointer = { source: '', steps: [] };

export function readDeliver(reading: Reading, place: Place): Target {
  const entities = new Map<string, TargetEntity>();
  for (const [entityType, calls] of place.at('entities')?.entries() ?? []) {
    requireKnownKey(reading, calls, entityType, 'entities');
    entities.set(entityType, readTargetEntity(reading, calls));
  }
  return {
    baseUrl: readBaseUrl(reading, place.at('base_url')),
    timeoutMs: readDurationMs(reading, place.at('timeout'), TIMEOUT_MS_DEFAULT),
    entities,
  };
}

function readTargetEntity(reading: Reading, place: Place): TargetEntity {
  const find = place.at('find');
  const create = place.at('create');
  const update = place.at('update');
  if (create === undefined && update === undefined) {
    reading.mistakes.atKey(place, 'expected `create`, `update` or both; without them nothing is ever sent');
  }
  return {
    ...(find && { find: readFind(reading, find) }),
    ...(create && { create: { ...readCall(reading, create, ['internal_id']), externalId: readId(reading, create) } }),
    ...(update && { update: readCall(reading, update, ['internal_id', 'external_id']) }),
  };
}

function readFind(reading: Reading, place: Place): NonNullable<TargetEntity['find']> {
  const items = readPointer(reading, place.at('items'));
  const body = place.at('body');
  if (place.has('get') && body !== undefined) reading.mistakes.atKey(body, '`get` carries no `body`; use `post`');
  return { ...readCall(reading, place, ['internal_id']), externalId: readId(reading, place), ...(items && { items }) };
}

function readId(reading: Reading, call: Place): Pointer {
  return readPointer(reading, call.at('external_id')) ?? UNREAD;
}

function readCall(reading: Reading, place: Place, holes: readonly Hole[]): TargetCall {
  const verb = VERBS.find((word) => place.has(word)) ?? 'get';
  const body = readBody(reading, place.at('body'));
  return {
    method: METHOD_BY_VERB[verb],
    path: readPath(reading, place.at(verb), holes),
    ...(body !== undefined && { body }),
  };
}
