import type { IngestAuth, SignatureAuth, SignatureTimestamp } from '../contract.js';
import type { Place } from './place.js';
import { readDurationMs } from './read-duration.js';
import { readCallerKey, readSecret, standardWebhooksFault } from './read-secret.js';
import { readSigned } from './read-signed.js';
import type { Reading } from './reading.js';
import { SIGNATURE_PRESETS, type SignaturePreset } from './signature-presets.js';

/** Standard Webhooks and Stripe both recommend five minutes between the signature's time and ours. */
const TOLERANCE_MS_DEFAULT = 300_000;
const KEY_HEADER_DEFAULT = 'X-Api-Key';
const WHSEC_PREFIX = 'whsec_';
/** Their secrets are the base64 of the key; everybody else's are the key. */
const WHSEC_SCHEMES: readonly string[] = ['standard-webhooks', 'svix'];
const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64'] as const;
const FORMATS = ['unix', 'unix_ms', 'rfc3339'] as const;

/** One scheme of a system's `auth`; what cannot be read is left out, with a complaint. */
export function readAuth(reading: Reading, system: string, place: Place): readonly IngestAuth[] {
  const scheme = place.at('scheme')?.text() ?? '';
  const caller = `system \`${system}\``;
  switch (scheme) {
    case 'api-key': {
      const secrets = secretPlaces(place).flatMap((secret) => readCallerKey(reading, secret, caller) ?? []);
      return [{ scheme, header: place.at('header')?.text() ?? KEY_HEADER_DEFAULT, secrets }];
    }
    case 'basic':
      return [readBasic(reading, caller, place)];
    case 'hmac':
      return [signatureOf(reading, place, readHmac(reading, place), readTextKeys(reading, place))];
    default: {
      const keys = WHSEC_SCHEMES.includes(scheme) ? readWhsecKeys(reading, place) : readTextKeys(reading, place);
      return (SIGNATURE_PRESETS.get(scheme) ?? []).map((preset) => signatureOf(reading, place, preset, keys));
    }
  }
}

function readBasic(reading: Reading, caller: string, place: Place): IngestAuth {
  const user = place.at('user')?.text() ?? '';
  const secrets = secretPlaces(place).flatMap((secret) => readSecret(reading, secret, () => undefined) ?? []);
  for (const password of secrets) {
    const shown = `${user}:${password}`;
    const other = reading.callerByKey.get(shown) ?? caller;
    reading.callerByKey.set(shown, other);
    if (other === caller) continue;
    reading.mistakes.atValue(place, `${other} has the same user and password; nobody could tell the two apart`);
  }
  return { scheme: 'basic', user, secrets };
}

function readHmac(reading: Reading, place: Place): SignaturePreset {
  const timestamp = place.at('timestamp');
  const tolerance = place.at('tolerance');
  if (tolerance !== undefined && timestamp === undefined) {
    reading.mistakes.atKey(tolerance, 'this needs `timestamp`, which says where the time of signing stands');
  }
  return {
    scheme: 'signature',
    header: (place.at('header')?.text() ?? '').toLowerCase(),
    algorithm: ALGORITHMS.find((name) => name === place.at('algorithm')?.text()) ?? 'sha256',
    encoding: ENCODINGS.find((name) => name === place.at('encoding')?.text()) ?? 'hex',
    prefix: place.at('prefix')?.text() ?? '',
    signed: readSigned(reading, place),
    ...(timestamp === undefined ? {} : { timestamp: readTimestamp(timestamp) }),
  };
}

function readTimestamp(place: Place): Omit<SignatureTimestamp, 'toleranceSeconds'> {
  const header = place.at('header')?.text();
  return {
    at: header === undefined ? { part: place.at('part')?.text() ?? '' } : { header: header.toLowerCase() },
    format: FORMATS.find((name) => name === place.at('format')?.text()) ?? 'unix',
  };
}

function signatureOf(
  reading: Reading,
  place: Place,
  { timestamp, ...preset }: SignaturePreset,
  keys: readonly Uint8Array[],
): SignatureAuth {
  if (timestamp === undefined) return { ...preset, keys };
  const toleranceSeconds = readDurationMs(reading, place.at('tolerance'), TOLERANCE_MS_DEFAULT) / 1000;
  return { ...preset, timestamp: { ...timestamp, toleranceSeconds }, keys };
}

function readWhsecKeys(reading: Reading, place: Place): readonly Uint8Array[] {
  const secrets = secretPlaces(place).flatMap((secret) => readSecret(reading, secret, standardWebhooksFault) ?? []);
  return secrets.map((secret) => Buffer.from(secret.slice(WHSEC_PREFIX.length), 'base64'));
}

function readTextKeys(reading: Reading, place: Place): readonly Uint8Array[] {
  const secrets = secretPlaces(place).flatMap((secret) => readSecret(reading, secret, () => undefined) ?? []);
  return secrets.map((secret) => Buffer.from(secret, 'utf8'));
}

function secretPlaces(place: Place): readonly Place[] {
  return place.at('secrets')?.items() ?? [];
}
