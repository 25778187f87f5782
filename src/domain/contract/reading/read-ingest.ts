import type { FieldRule, Ingest, IngestAuth, RateLimit } from '../contract.js';
import { requireKnownKey } from './known-name.js';
import type { Place } from './place.js';
import { readDurationMs } from './read-duration.js';
import { readPointer } from './read-pointer.js';
import { readCallerKey, readSecret, standardWebhooksFault } from './read-secret.js';
import { readWebhookRules } from './read-webhook-rules.js';
import type { Reading } from './reading.js';

/** Standard Webhooks recommends five minutes between the signature's time and ours. */
const TOLERANCE_MS_DEFAULT = 300_000;
const KEY_HEADER_DEFAULT = 'X-Api-Key';
/** Stands in for a limit that could not be read; a contract with one is never used. */
const UNREAD: RateLimit = { max: 1, perMs: 1_000 };

export function readIngest(reading: Reading, system: string, place: Place): Ingest {
  const rateLimit = place.at('rate_limit');
  return {
    ...(rateLimit && { rateLimit: readRateLimit(reading, rateLimit) }),
    auth: (place.at('auth')?.oneOrMore() ?? []).flatMap((auth) => readAuth(reading, system, auth) ?? []),
    webhooks: readWebhookRules(reading, place.at('webhooks')),
    fields: readFields(reading, place.at('fields')),
  };
}

function readAuth(reading: Reading, system: string, place: Place): IngestAuth | undefined {
  const secrets = place.at('secrets')?.items() ?? [];
  switch (place.at('scheme')?.text()) {
    case 'standard-webhooks':
      return {
        scheme: 'standard-webhooks',
        secrets: secrets.flatMap((secret) => readSecret(reading, secret, standardWebhooksFault) ?? []),
        toleranceSeconds: readDurationMs(reading, place.at('tolerance'), TOLERANCE_MS_DEFAULT) / 1000,
      };
    case 'api-key':
      return {
        scheme: 'api-key',
        header: place.at('header')?.text() ?? KEY_HEADER_DEFAULT,
        secrets: secrets.flatMap((secret) => readCallerKey(reading, secret, `system \`${system}\``) ?? []),
      };
    default:
      return undefined;
  }
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
