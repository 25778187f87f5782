import type { CallTemplate } from '../../call-template.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import type { HoleScope } from './hole-scope.js';
import { readCallTemplate } from './read-call-template.js';

/** Headers that are written anew for each call, or that say how it is carried. */
const OURS: readonly string[] = [
  ...['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade', 'te', 'trailer', 'keep-alive'],
  ...['idempotency-key', 'traceparent', 'x-correlation-id', 'x-max-retry', 'x-backoff-base', 'x-backoff-jitter'],
  ...['x-retry-count', 'x-retry-interval', 'x-reject-reason', 'cookie'],
];

/** The headers of a block by name; those that cannot be read are left out, with a complaint. */
export function readHeaders(
  reading: Reading,
  place: Place | undefined,
  scope: HoleScope,
): ReadonlyMap<string, CallTemplate> {
  const authorization = place?.entries().find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  if (authorization !== undefined) {
    reading.mistakes.atKey(authorization, '`Authorization` comes of `auth`, which keeps its secret out of logs');
  }
  return readSentHeaders(reading, place, scope);
}

/** As readHeaders, for what a login sends: that may be `Authorization` as well. */
export function readSentHeaders(
  reading: Reading,
  place: Place | undefined,
  scope: HoleScope,
): ReadonlyMap<string, CallTemplate> {
  const headers = new Map<string, CallTemplate>();
  const seen = new Set<string>();
  for (const [name, value] of place?.entries() ?? []) {
    const template = readCallTemplate(reading, value, scope);
    const fault = nameFault(name, seen) ?? valueFault(template);
    if (fault !== undefined) reading.mistakes.atKey(value, fault);
    seen.add(name.toLowerCase());
    if (template !== undefined) headers.set(name, template);
  }
  return headers;
}

function nameFault(name: string, seen: ReadonlySet<string>): string | undefined {
  const lower = name.toLowerCase();
  if (OURS.includes(lower)) return `\`${name}\` is written by Crosswalk itself`;
  return seen.has(lower) ? `\`${name}\` stands here in another spelling already` : undefined;
}

function valueFault(template: CallTemplate | undefined): string | undefined {
  if (template === undefined) return undefined;
  const isSendable = template.parts.every((part) => typeof part !== 'string' || /^[\t\x20-\x7e]*$/.test(part));
  return isSendable ? undefined : 'a header has no line breaks and no characters beyond ASCII';
}
