import { ANY_ENTITY } from './merge-blocks.js';
import { didYouMean } from './nearest.js';
import type { Place } from './place.js';
import { orderOf } from './read-entity-types.js';
import { graphAt } from './read-states.js';
import type { Reading } from './reading.js';
import { wordList } from './word-list.js';

/** A rule says of states what its event type asks for, and gives the part that a graph with a circle is ordered by. */
export function checkRuleTransition(reading: Reading, rule: Place): void {
  const name = rule.at('event_type')?.text() ?? '';
  const eventType = reading.root.at('events')?.at(name);
  if (eventType === undefined) return;
  const transition = eventType.at('transition')?.text();
  const [state, expected] = [rule.at('state'), rule.at('expected_current_state')];
  if (transition === '{state}' && state === undefined) {
    reading.mistakes.atKey(rule, `\`state\` is missing: events of \`${name}\` name their state themselves`);
  }
  if (transition !== '{state}' && state !== undefined) {
    reading.mistakes.atKey(state, `\`${name}\` has no \`transition: "{state}"\`, so that its events name no state`);
  }
  if (transition === undefined && expected !== undefined) {
    reading.mistakes.atKey(expected, `\`${name}\` has no \`transition\`, so that its events expect no state`);
  }
  const entityType = entityTypeOf(rule, eventType);
  if (transition === undefined || entityType === undefined) return;
  for (const place of [state, expected]) checkFixedState(reading, place, entityType);
  // What other strategies need is asked for beside this.
  if (eventType.at('strategy')?.text() === 'ignore') checkOrderPart(reading, rule, entityType);
}

/** Undefined, or the name of none, where the body says it. */
function entityTypeOf(rule: Place, eventType: Place): string | undefined {
  const declared = eventType.at('entity')?.text();
  return declared === ANY_ENTITY ? rule.at('entity')?.at('type')?.text() : declared;
}

function graphOf(reading: Reading, entityType: string) {
  return graphAt(reading.root.at('entities')?.at(entityType)?.at('states'));
}

function checkFixedState(reading: Reading, place: Place | undefined, entityType: string): void {
  const state = place?.text();
  const graph = graphOf(reading, entityType);
  if (place === undefined || state === undefined || /[{}]/.test(state) || graph === undefined) return;
  const known = [...graph.states.keys()];
  if (known.includes(state)) return;
  const message = `\`${entityType}\` has no state \`${state}\`${didYouMean(state, known)}; expected ${wordList(known)} or a template`;
  reading.mistakes.atValue(place, message);
}

function checkOrderPart(reading: Reading, rule: Place, entityType: string): void {
  const order = orderOf(reading, entityType);
  if (graphOf(reading, entityType)?.isCyclic !== true) return;
  if (order === undefined || order === 'arrival' || rule.has(order)) return;
  const message = `\`${order}\` is missing: a state of \`${entityType}\` can be come back to, so that only the order tells an early event from a late one`;
  reading.mistakes.atKey(rule, message);
}
