import { CODES, type Code } from './sync-error.js';

/**
 * How work goes on after a failure, decided here and nowhere else:
 *
 * - `retryable`: it may pass later; an attempt is spent and the next one waits longer.
 * - `throttled`: we were asked to wait, or have to; no attempt is spent.
 * - `auth`: our credential was refused. Tried again like `retryable`, but it is a person who has to act.
 * - `final`: no repetition will change it; a dead letter at once.
 */
export const FAILURE_CLASSES = ['retryable', 'throttled', 'final', 'auth'] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/**
 * What an answer of a target means. A status that HTTP does not have, and an interim one that nothing followed, is
 * treated as a 5xx (RFC 9110 §15).
 */
export function answerClass(status: number, hasRetryAfter: boolean): FailureClass | 'ok' {
  if (!isFinalStatus(status)) return 'retryable';
  if (status < 300) return 'ok';
  if (status === 429 || (status === 503 && hasRetryAfter)) return 'throttled';
  if (status === 401 || status === 403) return 'auth';
  if (status === 408 || status === 425 || status >= 500) return 'retryable';
  return 'final';
}

/** Statuses after which a create may have happened. 425 and 503 say that the request was not worked on. */
export function mayHaveBeenApplied(status: number): boolean {
  return !isFinalStatus(status) || status === 408 || (status >= 500 && status !== 503);
}

function isFinalStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** How a call can end without an answer that can be read. */
export type CallFailure = keyof typeof CALL_FAILURES;

/**
 * Each end of a call with the code that it goes by. `mayHaveArrived`: the target may have acted on it. A certificate
 * that is refused today may be replaced tomorrow, and nothing was sent; a call that cannot even be written never will be.
 */
export const CALL_FAILURES = {
  unsendable: { code: 'target.unmappable', mayHaveArrived: false },
  not_sent: { code: 'target.unreachable', mayHaveArrived: false },
  timeout: { code: 'target.timeout', mayHaveArrived: true },
  broken: { code: 'target.failed', mayHaveArrived: true },
  too_large: { code: 'target.failed', mayHaveArrived: true },
  unreadable: { code: 'target.unreadable', mayHaveArrived: true },
} as const satisfies Readonly<Record<string, { readonly code: Code; readonly mayHaveArrived: boolean }>>;

/**
 * The end of a call by the code of its network error. One that nobody foresaw is a broken call: it may have arrived.
 *
 * @param code of Node or undici, such as `ECONNREFUSED`; empty where the error has none
 */
export function callFailureOf(code: string): CallFailure {
  return NETWORK_ERRORS.get(code) ?? (/TIMEOUT/.test(code) ? 'timeout' : 'broken');
}

const NETWORK_ERRORS: ReadonlyMap<string, CallFailure> = new Map([
  ['ECONNREFUSED', 'not_sent'],
  ['ENOTFOUND', 'not_sent'],
  ['EAI_AGAIN', 'not_sent'],
  ['EHOSTUNREACH', 'not_sent'],
  ['ENETUNREACH', 'not_sent'],
  ['EADDRNOTAVAIL', 'not_sent'],
  ['EMFILE', 'not_sent'],
  ['UND_ERR_CONNECT_TIMEOUT', 'not_sent'],
  ['UND_ERR_CLOSED', 'not_sent'],
  ['CERT_HAS_EXPIRED', 'not_sent'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'not_sent'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'not_sent'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'not_sent'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not_sent'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'not_sent'],
  ['ERR_INVALID_URL', 'unsendable'],
  ['ERR_INVALID_CHAR', 'unsendable'],
  ['UND_ERR_INVALID_ARG', 'unsendable'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_HEADERS_OVERFLOW', 'too_large'],
]);

/**
 * What an error of the database means, whatever its number:
 *
 * - `item`: it refuses these values and always will; the rest of the group is not to blame.
 * - `blocked`: a lock, a deadlock, a failed serialisation or a full table of locks; it may pass a moment later.
 * - `slow`: a statement was given up because it took too long. Less at once may pass; one alone may always be too slow.
 * - `idle`: our own transaction stood still for too long and was ended; the database is well.
 * - `unavailable`: no connection or none free, a restart, a full or read-only disk; nothing was promised.
 * - `bug`: the statement itself is wrong.
 */
export type DatabaseFault = 'item' | 'blocked' | 'slow' | 'idle' | 'unavailable' | 'bug';

/** A database that is away spends nobody's attempts: where it cannot even record a failure, the lease ends it. */
export const DATABASE_FAULT_CLASSES: Readonly<Record<DatabaseFault, FailureClass>> = {
  item: 'final',
  blocked: 'throttled',
  slow: 'retryable',
  idle: 'retryable',
  unavailable: 'throttled',
  bug: 'retryable',
};

/** The class of what failed with one of our codes: mostly whether the same may pass later says it all. */
export function codeClass(code: Code): FailureClass {
  return CLASSES_OF_CODES[code] ?? (CODES[code].retryable ? 'retryable' : 'final');
}

/** `retryable` in the list of codes is for senders: may they send the same again? These are about our own work. */
const CLASSES_OF_CODES: Readonly<Partial<Record<Code, FailureClass>>> = {
  'storage.unavailable': DATABASE_FAULT_CLASSES.unavailable,
  'door.overloaded': 'throttled',
  'door.rate_limited': 'throttled',
  'auth.failed': 'auth',
  'access.denied': 'auth',
  'event.undecidable': 'retryable',
  'delivery.failed': 'retryable',
  'target.timeout': 'retryable',
  'target.unreachable': 'retryable',
  'target.failed': 'retryable',
  'target.unreadable': 'retryable',
  'target.throttled': 'throttled',
  'target.unauthorized': 'auth',
};

const RETRY_AFTER_MAX_MS = 86_400_000;
/** The three forms of an HTTP date (RFC 9110 §5.6.7) begin with the name of the day; `Date.parse` takes far more. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

/** Milliseconds to wait by a Retry-After header (seconds or an HTTP date), or undefined when it says nothing usable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : (HTTP_DATE.test(text) ? Date.parse(text) : NaN) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), RETRY_AFTER_MAX_MS);
}
