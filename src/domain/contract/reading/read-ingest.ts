import type { FieldRule, Ingest, RateLimit } from '../contract.js';
import { readSystemNames, requireKnownKey } from './known-name.js';
import type { Place } from './place.js';
import { readAuth } from './read-auth.js';
import { readBaseUrl } from './read-base-url.js';
import { readDurationMs } from './read-duration.js';
import { readPointer } from './read-pointer.js';
import { readWebhookRules } from './read-webhook-rules.js';
import type { Reading } from './reading.js';

/** Stands in for a limit that could not be read; a contract with one is never used. */
const UNREAD: RateLimit = { max: 1, perMs: 1_000 };

export function readIngest(reading: Reading, system: string, place: Place): Ingest {
  const publicUrl = place.at('public_url');
  const rateLimit = place.at('rate_limit');
  return {
    ...(publicUrl === undefined ? {} : { publicUrl: readBaseUrl(reading, publicUrl) }),
    ...(rateLimit && { rateLimit: readRateLimit(reading, rateLimit) }),
    auth: (place.at('auth')?.oneOrMore() ?? []).flatMap((auth) => readAuth(reading, system, auth)),
    mayLink: readMayLink(reading, system, place.at('may_link')),
    webhooks: readWebhookRules(reading, place.at('webhooks')),
    fields: readFields(reading, place.at('fields')),
  };
}

function readMayLink(reading: Reading, system: string, place: Place | undefined): readonly string[] {
  for (const item of place?.items() ?? []) {
    if (item.text() === system) reading.mistakes.atValue(item, 'a system may always link its own ids');
  }
  return readSystemNames(reading, place);
}

function readRateLimit(reading: Reading, place: Place): RateLimit {
  return {
    max: place.at('max')?.number() ?? UNREAD.max,
    perMs: readDurationMs(reading, place.at('per'), UNREAD.perMs),
  };
}

function readFields(reading: Reading, place: Place | undefined): Map<string, readonly FieldRule[]> {
  const fields = new Map<string, readonly FieldRule[]>();
  for (const [entityType, rules] of place?.entries() ?? []) {
    requireKnownKey(reading, rules, entityType, 'entities');
    const read = rules.entries().flatMap(([field, rule]) => readFieldRule(reading, field, rule) ?? []);
    fields.set(entityType, read);
  }
  return fields;
}

function readFieldRule(reading: Reading, field: string, place: Place): FieldRule | undefined {
  const pointer = readPointer(reading, place);
  return pointer === undefined ? undefined : { field, pointer };
}
