import type { EventType } from '../contract.js';
import { namesIn, readSystemNames, requireKnownName } from './known-name.js';
import type { Place } from './place.js';
import { orderOf } from './read-entity-types.js';
import { parsePathPattern, type PathPattern } from '../path-pattern.js';
import { pointerFault } from './read-pointer.js';
import { readReferenceRules } from './read-reference-rules.js';
import type { Reading } from './reading.js';

/** In `entity`: each event says itself which entity type it is about. */
export const ANY_ENTITY = '*';

export function readEventTypes(reading: Reading): Map<string, EventType> {
  const eventTypes = new Map<string, EventType>();
  for (const [name, place] of reading.root.at('events')?.entries() ?? []) {
    eventTypes.set(name, readEventType(reading, name, place));
  }
  return eventTypes;
}

function readEventType(reading: Reading, name: string, place: Place): EventType {
  const entity = place.at('entity')?.text() ?? ANY_ENTITY;
  const strategy = place.at('strategy')?.text() === 'overwrite' ? 'overwrite' : 'ignore';
  const entityPlace = place.at('entity');
  const isKnown =
    entity === ANY_ENTITY || entityPlace === undefined || requireKnownName(reading, entityPlace, entity, 'entities');
  if (strategy === 'overwrite') checkOverwrite(reading, place, entity);
  if (isKnown) checkTargets(reading, place, entity);
  return {
    name,
    entity,
    strategy,
    apply: place.at('apply')?.text() === 'none' ? 'none' : 'patch',
    deliverTo: readSystemNames(reading, place.at('deliver_to')),
    sharedScope: readSystemNames(reading, place.at('scope')?.at('shared')),
    volatile: (place.at('volatile')?.items() ?? []).flatMap((item) => readVolatile(reading, item) ?? []),
    references: readReferenceRules(reading, place.at('references')),
  };
}

function checkOverwrite(reading: Reading, place: Place, entity: string): void {
  const apply = place.at('apply');
  if (apply !== undefined) reading.mistakes.atKey(apply, '`apply` has a meaning with `strategy: ignore` only');
  const strategy = place.at('strategy');
  if (strategy === undefined) return;
  const candidates = entity === ANY_ENTITY ? namesIn(reading, 'entities') : [entity];
  const orders = candidates.map((name) => orderOf(reading, name));
  if (orders.length === 0 || orders.some((order) => order !== 'arrival')) return;
  const subject = entity === ANY_ENTITY ? 'every entity type' : `\`${entity}\``;
  const message = `\`overwrite\` needs an entity type with \`order_by: version\` or \`occurred_at\`; ${subject} is ordered by arrival`;
  reading.mistakes.atValue(strategy, message);
}

/** A system in `deliver_to` must say how it takes this entity type; where events say the type, any will do. */
function checkTargets(reading: Reading, place: Place, entity: string): void {
  for (const item of place.at('deliver_to')?.items() ?? []) {
    const name = item.text() ?? '';
    const system = reading.root.at('systems')?.at(name);
    const deliver = system?.at('deliver');
    if (system === undefined || deliver?.at('entities')?.has(entity)) continue;
    if (deliver === undefined) reading.mistakes.atValue(item, `\`${name}\` has no \`deliver\`, so it cannot receive`);
    else if (entity !== ANY_ENTITY)
      reading.mistakes.atValue(item, `\`${name}\` takes no \`${entity}\`: it is not under its \`deliver.entities\``);
  }
}

function readVolatile(reading: Reading, place: Place): PathPattern | undefined {
  const source = place.text();
  const pattern = source === undefined ? undefined : parsePathPattern(source);
  if (source !== undefined && pattern === undefined) reading.mistakes.atValue(place, pointerFault(source));
  return pattern;
}
