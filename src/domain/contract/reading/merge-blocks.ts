import type { Place } from './place.js';

/** In `entity`: each event says itself which entity type it is about. */
export const ANY_ENTITY = '*';

/** The `merge` of every event type that may be about the entity type. */
export function mergeBlocksOf(contract: Place, entityType: string): readonly Place[] {
  const eventTypes = contract.at('events')?.entries() ?? [];
  return eventTypes.flatMap(([, place]) => {
    const entity = place.at('entity')?.text();
    const merge = place.at('merge');
    return merge !== undefined && (entity === entityType || entity === ANY_ENTITY) ? [merge] : [];
  });
}

/** Two rules with the same words are one rule: only sums may take their number from several places. */
export function mergeRuleWords(rule: Place): string {
  return rule
    .entries()
    .map(([word, value]) => (word === 'sum' ? word : `${word} ${String(value.spelling())}`))
    .join();
}
