import type { CallTimeouts, Connection } from '../../target.js';
import type { Place } from '../place.js';
import { readDurationMs } from '../read-duration.js';
import { readRateLimit } from '../read-rate-limit.js';
import { readSecret } from '../read-secret.js';
import type { Reading } from '../reading.js';
import { readTargetUrl } from './read-address.js';
import { readTargetAuth } from './read-target-auth.js';

const TIMEOUT_MS_DEFAULT = 10_000;
const CONNECT_MS_MAX = 5_000;

/**
 * How a system is reached, by a `connection`, or by a `deliver` that may say each part itself and takes the others from
 * the connection.
 */
export function readConnection(reading: Reading, place: Place, shared?: Connection): Connection {
  const isPrivateAllowed = place.at('allow_private')?.plain() === true || shared?.isPrivateAllowed === true;
  const secrets = new Map([...(shared?.secrets ?? []), ...readSecrets(reading, place.at('secrets'))]);
  const rateLimit = place.at('rate_limit');
  const setting = { secrets: [...secrets.keys()], isPrivateAllowed };
  const hasOwnAuth = place.has('auth') || shared === undefined;
  const { timeoutMs, timeouts } =
    place.has('timeout') || shared === undefined ? readTimeouts(reading, place.at('timeout')) : shared;
  return {
    baseUrl: place.has('base_url')
      ? readTargetUrl(reading, place.at('base_url'), isPrivateAllowed)
      : (shared?.baseUrl ?? ''),
    auth: hasOwnAuth ? readTargetAuth(reading, place.at('auth'), setting) : shared.auth,
    ...(rateLimit
      ? { rateLimit: readRateLimit(reading, rateLimit) }
      : shared?.rateLimit && { rateLimit: shared.rateLimit }),
    timeoutMs,
    timeouts,
    isPrivateAllowed,
    secrets,
  };
}

/**
 * One text limits the whole call; a block limits its parts, and the whole is their sum. Connecting gets at most half of
 * the whole: where it fails nothing was sent, which must show before the time of the call is over.
 */
function readTimeouts(reading: Reading, place: Place | undefined): { timeoutMs: number; timeouts: CallTimeouts } {
  if (place?.isBlock() === true) {
    const connectMs = readDurationMs(reading, place.at('connect'), CONNECT_MS_MAX);
    const headersMs = readDurationMs(reading, place.at('headers'), TIMEOUT_MS_DEFAULT);
    const bodyMs = readDurationMs(reading, place.at('body'), TIMEOUT_MS_DEFAULT);
    return { timeoutMs: connectMs + headersMs + bodyMs, timeouts: { connectMs, headersMs, bodyMs } };
  }
  const timeoutMs = readDurationMs(reading, place, TIMEOUT_MS_DEFAULT);
  const connectMs = Math.min(CONNECT_MS_MAX, Math.ceil(timeoutMs / 2));
  return { timeoutMs, timeouts: { connectMs, headersMs: timeoutMs, bodyMs: timeoutMs } };
}

function readSecrets(reading: Reading, place: Place | undefined): readonly (readonly [string, string])[] {
  return (place?.entries() ?? []).map(([name, written]) => [name, readSecret(reading, written, () => undefined) ?? '']);
}
