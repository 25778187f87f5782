import { randomBytes } from 'node:crypto';

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

/** UUID version 7 (RFC 9562 §5.7): milliseconds first, then random bits. */
export function uuidV7(nowMs: number): string {
  const bytes = nextRandom();
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The smallest UUIDv7 of a moment: the bound of a partition. */
export function firstUuidV7(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Random bytes are drawn 256 ids at a time: one system call for each would be a third of an id's cost. */
let pool = Buffer.alloc(0);
function nextRandom(): Buffer {
  if (pool.length < 16) pool = randomBytes(16 * 256);
  const bytes = pool.subarray(0, 16);
  pool = pool.subarray(16);
  return bytes;
}
