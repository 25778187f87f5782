import type { RetryPolicy } from './contract/contract.js';
import { JsonNumber, isJsonObject, type Json } from './json/json.js';
import { writePointer } from './contract/pointer.js';
import { SyncError } from './sync-error.js';

/** What an event asks for in case it fails, and what its sender tells of its own attempts before. */
export interface RetryPassport {
  /** Asked for: where it is undefined, the contract's settings hold. */
  readonly maxRetry?: number;
  readonly backoffBaseSeconds?: number;
  readonly backoffJitterMs?: number;
  /** Told: attempts that failed before the event came to us. They are kept and spend none of ours. */
  readonly retryCount?: number;
  readonly rejectReason?: string;
}

/**
 * What an envelope may ask for. Fifty delays of the longest kind are a few days, less than a key is remembered; and no
 * sender may make us hammer a target that is down.
 */
export const PASSPORT_BOUNDS = {
  max_retry: { min: 0, max: 50, isInteger: true },
  backoff_base: { min: 0.1, max: 3_600, isInteger: false },
  backoff_jitter: { min: 0, max: 3_600_000, isInteger: true },
  retry_count: { min: 0, max: 1_000_000, isInteger: true },
} as const;
export const REJECT_REASON_BYTES_MAX = 256;

type NumberMember = keyof typeof PASSPORT_BOUNDS;

/** The members of a passport with their names in our envelope and as extensions of a CloudEvent. */
export const PASSPORT_EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['maxretry', 'max_retry'],
  ['backoffbase', 'backoff_base'],
  ['backoffjitter', 'backoff_jitter'],
  ['retrycount', 'retry_count'],
  ['rejectreason', 'reject_reason'],
  ['retryinterval', 'retry_interval'],
]);
const MEMBERS: ReadonlySet<string> = new Set(PASSPORT_EXTENSIONS.values());

/**
 * Reads the `retry` object of an envelope; null is the absence of a member, and of the whole.
 *
 * @throws SyncError `envelope.invalid` that names the bound, or `envelope.unknown_part`
 */
export function readRetryPassport(value: Json | undefined): RetryPassport | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new SyncError('envelope.invalid', '`retry` is an object.', { at: '/retry' });
  for (const name of value.keys()) {
    if (MEMBERS.has(name)) continue;
    const at = writePointer(['retry', name]);
    throw new SyncError('envelope.unknown_part', `\`retry\` holds ${[...MEMBERS].join(', ')}.`, { at });
  }
  return readMembers((name) => ({ value: value.get(name), at: `/retry/${name}` }));
}

/**
 * Reads the extensions of a CloudEvent that stand for a passport. Digits as text are numbers here: headers have no other.
 *
 * @throws SyncError `envelope.invalid` that names the bound
 */
export function readRetryExtensions(attributes: ReadonlyMap<string, Json>): RetryPassport | undefined {
  const byMember = new Map([...PASSPORT_EXTENSIONS].map(([extension, member]) => [member, extension]));
  return readMembers((member) => {
    const extension = byMember.get(member) ?? member;
    const value = attributes.get(extension);
    const isNumber = member in PASSPORT_BOUNDS && typeof value === 'string' && DECIMAL.test(value);
    return { value: isNumber ? new JsonNumber(value) : value, at: `/${extension}` };
  });
}

/** What stands where, by the member's name in our envelope. */
type Look = (member: string) => { readonly value: Json | undefined; readonly at: string };

function readMembers(look: Look): RetryPassport | undefined {
  const { value: interval, at } = look('retry_interval');
  if ((interval ?? null) !== null) {
    const detail = 'The delay before an attempt is told by us and cannot be asked for; leave it out.';
    throw new SyncError('envelope.invalid', detail, { at });
  }
  const passport = {
    ...given('maxRetry', readNumber('max_retry', look)),
    ...given('backoffBaseSeconds', readNumber('backoff_base', look)),
    ...given('backoffJitterMs', readNumber('backoff_jitter', look)),
    ...given('retryCount', readNumber('retry_count', look)),
    ...given('rejectReason', readReason(look)),
  };
  return Object.keys(passport).length === 0 ? undefined : passport;
}

function given<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });
}

/** Plain decimals: an exponent would only hide how large a number is. */
const DECIMAL = /^\d{1,12}(\.\d{1,6})?$/;

function readNumber(name: NumberMember, look: Look): number | undefined {
  const { value, at } = look(name);
  if (value === undefined || value === null) return undefined;
  const { min, max, isInteger } = PASSPORT_BOUNDS[name];
  const number = value instanceof JsonNumber && DECIMAL.test(value.text) ? Number(value.text) : NaN;
  if (number >= min && number <= max && (!isInteger || Number.isInteger(number))) return number;
  const kind = isInteger ? 'a whole number' : 'a number';
  const detail = `\`${name}\` is ${kind} from ${String(min)} to ${String(max)}.`;
  throw new SyncError('envelope.invalid', detail, { at });
}

function readReason(look: Look): string | undefined {
  const { value, at } = look('reject_reason');
  if (value === undefined || value === null) return undefined;
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value).length : 0;
  if (typeof value === 'string' && bytes > 0 && bytes <= REJECT_REASON_BYTES_MAX && !/\p{Cc}/u.test(value)) {
    return value;
  }
  const detail = `\`reject_reason\` is text of 1 to ${String(REJECT_REASON_BYTES_MAX)} bytes without control characters.`;
  throw new SyncError('envelope.invalid', detail, { at });
}

/** As it is kept with the event and shown: JSON by the names of the envelope. */
export function writeRetryPassport(passport: RetryPassport): string {
  return JSON.stringify({
    max_retry: passport.maxRetry,
    backoff_base: passport.backoffBaseSeconds,
    backoff_jitter: passport.backoffJitterMs,
    retry_count: passport.retryCount,
    reject_reason: passport.rejectReason,
  });
}

/** The settings with what an event asked for instead; the cap is nobody's to ask for. */
export function retryPolicyOf(stored: string | null, settings: RetryPolicy): RetryPolicy {
  if (stored === null) return settings;
  const asked = JSON.parse(stored) as { max_retry?: number; backoff_base?: number; backoff_jitter?: number };
  return {
    maxRetry: asked.max_retry ?? settings.maxRetry,
    backoffBaseSeconds: asked.backoff_base ?? settings.backoffBaseSeconds,
    backoffJitterMs: asked.backoff_jitter ?? settings.backoffJitterMs,
    capSeconds: settings.capSeconds,
  };
}

/** How an attempt came to be made. */
export interface AttemptPassport {
  /** Attempts that failed before it. */
  readonly retryCount: number;
  /** The delay before it. */
  readonly retryIntervalMs: number;
  /** The code of the failure that it comes after. */
  readonly rejectReason: string | undefined;
}

/**
 * The passport as headers of a call. They tell of this delivery alone and are written anew for each call, so that they
 * never grow from one hop to the next.
 */
export function passportHeaders(attempt: AttemptPassport, policy: RetryPolicy): Readonly<Record<string, string>> {
  const reason = attempt.rejectReason;
  return {
    'x-retry-count': String(attempt.retryCount),
    'x-max-retry': String(policy.maxRetry),
    'x-backoff-base': secondsText(policy.backoffBaseSeconds * 1000),
    'x-backoff-jitter': String(policy.backoffJitterMs),
    'x-retry-interval': secondsText(attempt.retryIntervalMs),
    ...(reason === undefined ? {} : { 'x-reject-reason': headerText(reason) }),
  };
}

/** Seconds with at most three decimals, never with an exponent. */
function secondsText(delayMs: number): string {
  return String(Math.round(delayMs) / 1000);
}

const HEADER_CHARACTERS_MAX = 128;

/** A header is ASCII and one line: everything else is percent-encoded, and so is the percent sign. */
function headerText(text: string): string {
  return [...text.toWellFormed()]
    .slice(0, HEADER_CHARACTERS_MAX)
    .map((character) => (/^[\x21-\x24\x26-\x7e]$/.test(character) ? character : encodeURIComponent(character)))
    .join('');
}
