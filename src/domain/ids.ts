import { randomUUID } from 'node:crypto';

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** UUIDv7 of an accepted event; its time part is the day's partition. */
export type EventId = Branded<'EventId'>;
/** UUIDv7 of an entity. */
export type InternalId = Branded<'InternalId'>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function parseEventId(text: string): EventId | undefined {
  return UUID.test(text) ? (text.toLowerCase() as EventId) : undefined;
}

export function parseInternalId(text: string): InternalId | undefined {
  return UUID.test(text) ? (text.toLowerCase() as InternalId) : undefined;
}

export function newEventId(nowMs: number): EventId {
  return uuidV7(nowMs) as EventId;
}

export function newInternalId(nowMs: number): InternalId {
  return uuidV7(nowMs) as InternalId;
}

/** UUID version 7 (RFC 9562 §5.7): milliseconds first, then the random bits of a version 4, which lie at the same places. */
export function uuidV7(nowMs: number): string {
  return `${timePart(nowMs)}-7${randomUUID().slice('xxxxxxxx-xxxx-4'.length)}`;
}

/** When an event was accepted, milliseconds since 1970, as its id says. */
export function acceptedAtMs(eventId: EventId): number {
  return Number.parseInt(`${eventId.slice(0, 8)}${eventId.slice(9, 13)}`, 16);
}

/** The smallest UUIDv7 of a moment: the bound of a partition. */
export function firstUuidV7(ms: number): string {
  return `${timePart(ms)}-7000-8000-000000000000`;
}

function timePart(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}
