import type { EventType } from '../contract.js';
import { namesIn, readSystemNames, requireKnownName } from './known-name.js';
import { ANY_ENTITY } from './merge-blocks.js';
import type { Place } from './place.js';
import { orderOf } from './read-entity-types.js';
import { parsePathPattern, type PathPattern } from '../path-pattern.js';
import { pointerFault } from './read-pointer.js';
import { readMergeRules } from './read-merge-rules.js';
import { readOnRefused } from './read-on-refused.js';
import { readReferenceRules } from './read-reference-rules.js';
import { impliedReferences } from './targets/implied-references.js';
import { readTransition } from './read-transition.js';
import type { Reading } from './reading.js';

export function readEventTypes(reading: Reading): Map<string, EventType> {
  const eventTypes = new Map<string, EventType>();
  for (const [name, place] of reading.root.at('events')?.entries() ?? []) {
    eventTypes.set(name, readEventType(reading, name, place));
  }
  return eventTypes;
}

const STRATEGIES: readonly EventType['strategy'][] = ['ignore', 'overwrite', 'merge'];

function readEventType(reading: Reading, name: string, place: Place): EventType {
  const entity = place.at('entity')?.text() ?? ANY_ENTITY;
  const strategy = STRATEGIES.find((word) => word === place.at('strategy')?.text());
  const entityPlace = place.at('entity');
  const isKnown =
    entity === ANY_ENTITY || entityPlace === undefined || requireKnownName(reading, entityPlace, entity, 'entities');
  if (strategy !== undefined) checkWordsOf(reading, place, strategy);
  if (strategy === 'overwrite') checkOverwrite(reading, place, entity);
  if (isKnown) checkTargets(reading, place, entity);
  if (isKnown) checkSums(reading, place, entity);
  const transition = isKnown
    ? readTransition(reading, place.at('transition'), candidatesOf(reading, entity))
    : undefined;
  const onRefused = readOnRefused(reading, place);
  return {
    name,
    entity,
    strategy: strategy ?? 'ignore',
    operation: place.at('operation')?.text() === 'delete' ? 'delete' : 'update',
    merge: readMergeRules(reading, place, entity),
    apply: place.at('apply')?.text() === 'none' ? 'none' : 'patch',
    ...(transition && { transition }),
    deliverTo: readSystemNames(reading, place.at('deliver_to')),
    sharedScope: readSystemNames(reading, place.at('scope')?.at('shared')),
    volatile: (place.at('volatile')?.items() ?? []).flatMap((item) => readVolatile(reading, item) ?? []),
    ...(onRefused && { onRefused }),
    references: [...readReferenceRules(reading, place, entity), ...impliedReferences(reading, place, entity)],
    keys: place.at('keys')?.text() === 'forever' ? 'forever' : 'retained',
  };
}

const STRATEGY_OF_WORD = { apply: 'ignore', operation: 'overwrite', merge: 'merge' } as const;

function checkWordsOf(reading: Reading, place: Place, strategy: EventType['strategy']): void {
  for (const [word, owner] of Object.entries(STRATEGY_OF_WORD)) {
    const found = place.at(word);
    if (found === undefined || strategy === owner) continue;
    reading.mistakes.atKey(found, `\`${word}\` has a meaning with \`strategy: ${owner}\` only`);
  }
}

function checkOverwrite(reading: Reading, place: Place, entity: string): void {
  const strategy = place.at('strategy');
  if (strategy === undefined) return;
  const orders = candidatesOf(reading, entity).map((name) => orderOf(reading, name));
  if (orders.length === 0 || orders.some((order) => order !== 'arrival')) return;
  const subject = entity === ANY_ENTITY ? 'every entity type' : `\`${entity}\``;
  const message = `\`overwrite\` needs an entity type with \`order_by: version\` or \`occurred_at\`; ${subject} is ordered by arrival`;
  reading.mistakes.atValue(strategy, message);
}

/** A sum that comes again after its key was forgotten would count twice: it must be old by its date, or never forgotten. */
function checkSums(reading: Reading, place: Place, entity: string): void {
  if (place.at('keys')?.text() === 'forever') return;
  const orders = candidatesOf(reading, entity).map((name) => orderOf(reading, name));
  if (orders.every((order) => order === 'occurred_at' || order === undefined)) return;
  const sum = place
    .at('merge')
    ?.entries()
    .flatMap(([, rule]) => rule.at('sum') ?? [])[0];
  if (sum === undefined) return;
  const message =
    '`sum` needs `keys: forever`, or an entity type with `order_by: occurred_at`: else a repetition that comes after its key was forgotten would be added again';
  reading.mistakes.atKey(sum, message);
}

function candidatesOf(reading: Reading, entity: string): readonly string[] {
  return entity === ANY_ENTITY ? namesIn(reading, 'entities') : [entity];
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
