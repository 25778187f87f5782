import type { TransitionRule } from '../contract.js';
import { didYouMean } from './nearest.js';
import type { Place } from './place.js';
import { graphAt } from './read-states.js';
import type { Reading } from './reading.js';
import { wordList } from './word-list.js';

/** Each event names the state itself. */
const NAMED = '{state}';

/** @param entityTypes those that the events may be about: each must have states, and the one that is named */
export function readTransition(
  reading: Reading,
  place: Place | undefined,
  entityTypes: readonly string[],
): TransitionRule | undefined {
  const state = place?.text();
  if (place === undefined || state === undefined) return undefined;
  for (const entityType of entityTypes) {
    const states = reading.root.at('entities')?.at(entityType)?.at('states');
    const graph = graphAt(states);
    if (states === undefined) {
      const among = entityTypes.length > 1 ? ', and the events may be about each entity type' : '';
      reading.mistakes.atKey(place, `\`${entityType}\` has no \`states\`${among}`);
    } else if (state !== NAMED && graph?.states.has(state) === false) {
      const known = [...graph.states.keys()];
      const message = `\`${entityType}\` has no state \`${state}\`${didYouMean(state, known)}; expected ${wordList([...known, NAMED])}`;
      reading.mistakes.atValue(place, message);
    }
  }
  return ruleOf(state);
}

function ruleOf(state: string): TransitionRule {
  return state === NAMED ? { kind: 'named' } : { kind: 'to', state };
}
