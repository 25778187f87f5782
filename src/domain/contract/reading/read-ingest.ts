import type { AnswerRule, ContentEncoding, FieldRule, Ingest } from '../contract.js';
import { credentialHeaders } from '../credential-headers.js';
import { readSystemNames, requireKnownKey } from './known-name.js';
import type { Place } from './place.js';
import { readAnswerRule } from './read-answer-rules.js';
import { readAuth } from './read-auth.js';
import { readBaseUrl } from './read-base-url.js';
import { readPointer } from './read-pointer.js';
import { readRateLimit } from './read-rate-limit.js';
import { readWebhookRules } from './read-webhook-rules.js';
import type { Reading } from './reading.js';

const CONTENT_ENCODINGS: readonly ContentEncoding[] = ['gzip', 'deflate'];
/** Headers that carry a credential whatever the scheme. */
const CREDENTIAL_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

export function readIngest(reading: Reading, system: string, place: Place): Ingest {
  const publicUrl = place.at('public_url');
  const rateLimit = place.at('rate_limit');
  const authPlaces = place.at('auth')?.oneOrMore() ?? [];
  const auth = authPlaces.flatMap((scheme) => readAuth(reading, system, scheme));
  const mayLink = readMayLink(reading, system, place.at('may_link'));
  return {
    ...(publicUrl === undefined ? {} : { publicUrl: readBaseUrl(reading, publicUrl) }),
    ...(rateLimit && { rateLimit: readRateLimit(reading, rateLimit) }),
    auth,
    contentEncodings: readContentEncodings(place.at('content_encodings')),
    mayLink,
    webhooks: readWebhookRules(reading, place.at('webhooks'), {
      credentials: [...CREDENTIAL_HEADERS, ...credentialHeaders(auth)],
      linkable: [system, ...mayLink],
      system,
    }),
    unsigned: authPlaces.flatMap((scheme) => readUnsigned(reading, scheme.at('unsigned'))),
    fields: readFields(reading, place.at('fields')),
  };
}

function readContentEncodings(place: Place | undefined): readonly ContentEncoding[] {
  return (place?.items() ?? []).flatMap((item) => CONTENT_ENCODINGS.find((name) => name === item.text()) ?? []);
}

function readMayLink(reading: Reading, system: string, place: Place | undefined): readonly string[] {
  for (const item of place?.items() ?? []) {
    if (item.text() === system) reading.mistakes.atValue(item, 'a system may always link its own ids');
  }
  return readSystemNames(reading, place);
}

/** Without conditions everything that fails to prove itself would be told that all is well. */
function readUnsigned(reading: Reading, place: Place | undefined): readonly AnswerRule[] {
  return (place?.items() ?? []).map((rule) => readAnswerRule(reading, rule));
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
