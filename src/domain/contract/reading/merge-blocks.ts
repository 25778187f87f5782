import type { Place } from './place.js';
import type { Reading } from './reading.js';

/** In `entity`: each event says itself which entity type it is about. */
export const ANY_ENTITY = '*';

/** The `merge` of every event type that may be about the entity type. */
export function mergeBlocksOf(reading: Reading, entityType: string): readonly Place[] {
  const eventTypes = reading.root.at('events')?.entries() ?? [];
  return eventTypes.flatMap(([, place]) => {
    const entity = place.at('entity')?.text();
    const merge = place.at('merge');
    return merge !== undefined && (entity === entityType || entity === ANY_ENTITY) ? [merge] : [];
  });
}
