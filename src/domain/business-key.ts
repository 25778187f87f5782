import { createHash } from 'node:crypto';

/**
 * Every key that stops a duplicate is built here; each says which duplicate that is.
 *
 * Parts are joined with `:` after `%` and `:` inside them are percent-encoded, so that no two lists of parts give one
 * key: without that, ("a:b", "c") and ("a", "b:c") would be one fact.
 */
export function composeKey(parts: readonly string[]): string {
  return parts.map(encodeKeyPart).join(':');
}

export function encodeKeyPart(part: string): string {
  return part.replaceAll('%', '%25').replaceAll(':', '%3A');
}

/** The parts that `composeKey` made a key of. */
export function decomposeKey(key: string): readonly string[] {
  return key.split(':').map((part) => part.replaceAll('%3A', ':').replaceAll('%25', '%'));
}

export const IDEMPOTENCY_KEY_BYTES_MAX = 2048;
/** What nearly every key is made of; nothing that is asked of other keys can be wrong with it. */
const PRINTED_ASCII = /^[\x21-\x7e]+$/;

/**
 * What is wrong with an idempotency key, in words, or undefined. A key is refused and never repaired, so that every
 * language on the way sees the same bytes.
 */
export function idempotencyKeyProblem(key: string): string | undefined {
  if (key === '') return 'is empty';
  if (Buffer.byteLength(key) > IDEMPOTENCY_KEY_BYTES_MAX) {
    return `has more than ${String(IDEMPOTENCY_KEY_BYTES_MAX)} bytes`;
  }
  if (PRINTED_ASCII.test(key)) return undefined;
  if (/\p{Cc}/u.test(key)) return 'contains a control character';
  if (key.trim() !== key) return 'begins or ends with a blank';
  if (key.normalize('NFC') !== key) return 'is not in Unicode normal form C';
  return undefined;
}

/**
 * The room in which an idempotency key is unique: stops the second copy of a fact from one source, and, where several
 * systems report the same fact, the second system's copy of it. System names hold neither `+` nor `:`.
 */
export function keyScope(source: string, eventType: string, sharedScope: readonly string[]): string {
  const room = sharedScope.includes(source) ? [...sharedScope].sort().join('+') : source;
  return `${room}:${eventType}`;
}

/** Longer ones would make a record grow by two kilobytes for each of its fields and elements, which keep one each. */
const WRITER_KEY_LENGTH_MAX = 96;
const WRITER_KEY_PREFIX = 40;

/**
 * Who wrote a field: breaks ties between two writers of one date the same way everywhere. By idempotency key, and then by
 * event type, because two event types may use one key about one record; a long key by its beginning and a digest.
 */
export function writerKey(idempotencyKey: string, eventType: string): string {
  // Line breaks stand in no key, so keys still compare first.
  const whole = `${idempotencyKey}\n${eventType}`;
  if (whole.length <= WRITER_KEY_LENGTH_MAX) return whole;
  const digest = createHash('sha256').update(whole).digest('base64url');
  return `${idempotencyKey.slice(0, WRITER_KEY_PREFIX).toWellFormed()}\n${digest}`;
}

/**
 * Where the guard keeps its memory of one fact: spares the database the second copy. It names the key as it stands and
 * never its hash, so that no two facts can share it; and the epoch of the database, so that what another history of the
 * database had accepted is not found.
 */
export function guardKey(prefix: string, epoch: string, scope: string, idempotencyKey: string): string {
  return composeKey([prefix, 'guard', epoch, scope, idempotencyKey]);
}

/**
 * The key of a dead event that a person sends once more with other content: stops a second event of one edit, and a
 * second edit of one letter. A key that has no room for more goes on as its digest.
 */
export function editedKey(idempotencyKey: string): string {
  const edited = `${idempotencyKey}${EDITED}`;
  if (Buffer.byteLength(edited) <= IDEMPOTENCY_KEY_BYTES_MAX) return edited;
  return createHash('sha256').update(idempotencyKey).digest('hex') + EDITED;
}

const EDITED = '~edited';

/** Work of one (target, entity): stops two calls about one entity at one target from overlapping. */
export function deliveryWorkKey(target: string, internalId: string): string {
  return composeKey([target, internalId]);
}

/** Stops a second record at the target when a create is repeated. The same for every attempt of one create. */
export function createCallKey(target: string, internalId: string): string {
  return composeKey(['create', target, internalId]);
}

/**
 * Lets a target recognise a request that the network repeats. Another one for every claim of the delivery: one key for
 * a whole revision would let the target answer from its memory when the newest state is sent again because an older
 * call may have come after it.
 */
export function updateCallKey(target: string, internalId: string, fence: bigint): string {
  return composeKey(['update', target, internalId, String(fence)]);
}

/**
 * The question whether an external id belongs to an entity of ours: stops a second question about the same link, whoever
 * asks for it: an event, a write-back, or a target's answer.
 */
export function linkSubject(link: {
  readonly system: string;
  readonly entityType: string;
  readonly externalId: string;
  /** As it was claimed; it may be no id of ours. */
  readonly internalId: string;
}): string {
  return composeKey([link.system, link.entityType, link.externalId, link.internalId]);
}

/**
 * The id of an alarm: one job for each waking of a piece of work. A queue silently swallows an id that it still knows
 * or is working on, hence the wake number; and it refuses ids with colons or only digits, hence the hash.
 */
export function alarmJobId(workKey: string, wake: bigint): string {
  return `wake-${createHash('sha256')
    .update(composeKey([workKey, String(wake)]))
    .digest('hex')
    .slice(0, 40)}`;
}
