import type { EntityType, OrderBy } from '../contract.js';
import { namesIn, readSystemNames } from './known-name.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

const ORDERS: readonly OrderBy[] = ['version', 'occurred_at', 'arrival'];

export function readEntityTypes(reading: Reading): Map<string, EntityType> {
  const entityTypes = new Map<string, EntityType>();
  for (const [name, place] of reading.root.at('entities')?.entries() ?? []) {
    const compose = readCompose(reading, place.at('compose'));
    entityTypes.set(name, { name, orderBy: orderOf(reading, name) ?? 'arrival', compose });
  }
  return entityTypes;
}

/** What the entity type is ordered by; undefined where the file does not say so in a way that is understood. */
export function orderOf(reading: Reading, entityType: string): OrderBy | undefined {
  const word = reading.root.at('entities')?.at(entityType)?.at('order_by')?.text();
  return ORDERS.find((order) => order === word);
}

function readCompose(reading: Reading, place: Place | undefined): EntityType['compose'] {
  const fields = new Map<string, readonly string[]>();
  for (const [field, list] of place?.entries() ?? []) {
    const systems = readSystemNames(reading, list);
    if (field !== 'default') fields.set(field, systems);
  }
  const listed = place?.at('default');
  const defaults = listed === undefined ? sendingSystems(reading) : listed.items().flatMap((item) => item.text() ?? []);
  return { default: defaults, fields };
}

function sendingSystems(reading: Reading): readonly string[] {
  return namesIn(reading, 'systems').filter((name) => reading.root.at('systems')?.at(name)?.has('ingest'));
}
