import type { Connection, Target, TargetEntity } from '../../target.js';
import { requireKnownKey } from '../known-name.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import { readAnswers } from './read-answers.js';
import { readConnection } from './read-connection.js';
import { readTargetEntity } from './read-target-entity.js';

/** How a system is brought up to date; `shared` is its `connection`, where it has one. */
export function readDeliver(reading: Reading, system: string, place: Place, shared?: Connection): Target {
  const connection = readConnection(reading, place, shared);
  const setting = { secrets: [...connection.secrets.keys()], isPrivateAllowed: connection.isPrivateAllowed };
  if (shared === undefined && !place.has('base_url')) {
    reading.mistakes.atKey(place, '`base_url` is missing');
  }
  const entities = new Map<string, TargetEntity>();
  for (const [entityType, calls] of place.at('entities')?.entries() ?? []) {
    requireKnownKey(reading, calls, entityType, 'entities');
    entities.set(entityType, readTargetEntity(reading, calls, { system, entityType }, setting));
  }
  return { ...connection, answers: readAnswers(reading, place), entities };
}
