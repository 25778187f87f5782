import type { Composition, EntityType, OrderBy } from '../contract.js';
import { namesIn, readSystemNamesOrOthers } from './known-name.js';
import { mergeBlocksOf } from './merge-blocks.js';
import type { Place } from './place.js';
import { readStates } from './read-states.js';
import type { Reading } from './reading.js';

const ORDERS: readonly OrderBy[] = ['version', 'occurred_at', 'arrival'];

export function readEntityTypes(reading: Reading): Map<string, EntityType> {
  const entityTypes = new Map<string, EntityType>();
  for (const [name, place] of reading.root.at('entities')?.entries() ?? []) {
    const compose = readCompose(reading, place.at('compose'));
    checkTies(reading, place.at('ties'), name);
    const states = readStates(reading, place.at('states'), orderOf(reading, name));
    entityTypes.set(name, {
      name,
      orderBy: orderOf(reading, name) ?? 'arrival',
      ties: place.at('ties')?.text() === 'arrival' ? 'arrival' : 'conflict',
      compose,
      mergedFields: new Set(mergeBlocksOf(reading.root, name).flatMap((block) => block.keys())),
      ...(states && { states }),
    });
  }
  return entityTypes;
}

/** What the entity type is ordered by; undefined where the file does not say so in a way that is understood. */
export function orderOf(reading: Reading, entityType: string): OrderBy | undefined {
  const word = reading.root.at('entities')?.at(entityType)?.at('order_by')?.text();
  return ORDERS.find((order) => order === word);
}

/** Whether some field of the entity type is composed by time, so that its events have to say theirs. */
export function isComposedByTime(reading: Reading, entityType: string): boolean {
  const fields = reading.root.at('entities')?.at(entityType)?.at('compose')?.entries() ?? [];
  return fields.some(([field, owners]) => field !== 'default' && owners.text() === 'latest');
}

function checkTies(reading: Reading, ties: Place | undefined, entityType: string): void {
  if (ties === undefined || orderOf(reading, entityType) !== 'arrival') return;
  reading.mistakes.atKey(ties, '`ties` has no meaning with `order_by: arrival`: there nothing is equal');
}

function readCompose(reading: Reading, place: Place | undefined): Composition {
  const fields: [string, readonly string[] | 'latest'][] = [];
  for (const [field, list] of place?.entries() ?? []) {
    const systems = list.text() === 'latest' ? 'latest' : readSystemNamesOrOthers(reading, list);
    if (field !== 'default') fields.push([field, systems]);
  }
  const listed = place?.at('default');
  const defaults = listed === undefined ? sendingSystems(reading) : listed.items().flatMap((item) => item.text() ?? []);
  return { default: defaults, fields: new Map(fields) };
}

function sendingSystems(reading: Reading): readonly string[] {
  return namesIn(reading, 'systems').filter((name) => reading.root.at('systems')?.at(name)?.has('ingest'));
}
