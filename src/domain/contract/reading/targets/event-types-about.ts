import { ANY_ENTITY } from '../merge-blocks.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';

/** The event types whose events are, or may be, about the entity type. */
export function eventTypesAbout(reading: Reading, entityType: string): readonly Place[] {
  const eventTypes = reading.root.at('events')?.entries() ?? [];
  return eventTypes.flatMap(([, place]) =>
    [entityType, ANY_ENTITY].includes(place.at('entity')?.text() ?? '') ? place : [],
  );
}
