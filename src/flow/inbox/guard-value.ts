import { parseEventId, type EventId } from '../../domain/ids.js';

const FORM = /^ACCEPTED:([^:]+):(.+)$/;

/** What the guard remembers of an accepted event. */
export function guardValue(eventId: EventId, fingerprint: string): string {
  return `ACCEPTED:${eventId}:${fingerprint}`;
}

/** The accepted event that has this content; undefined for other content and for whatever is no value of ours. */
export function eventOfGuardValue(value: string, fingerprint: string): EventId | undefined {
  const [, eventId, accepted] = FORM.exec(value) ?? [];
  return eventId !== undefined && accepted === fingerprint ? parseEventId(eventId) : undefined;
}
