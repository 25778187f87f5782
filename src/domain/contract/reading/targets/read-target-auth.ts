import type { CallSignature, ClientCredentials, PlainAuth, TargetAuth } from '../../target-auth.js';
import type { Place } from '../place.js';
import { readSecret } from '../read-secret.js';
import { readSigned } from '../read-signed.js';
import { readVariable, variableFault, variableIn } from '../read-variable.js';
import type { Reading } from '../reading.js';
import { readCalledUrl } from './read-address.js';
import type { TargetSetting } from './read-call.js';
import { readLogin } from './read-login.js';

const ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
const ENCODINGS = ['hex', 'base64'] as const;
const FORMATS = ['unix', 'unix_ms', 'rfc3339'] as const;

/** How the hub proves itself; what cannot be read is empty, with a complaint. */
export function readTargetAuth(reading: Reading, place: Place | undefined, setting: TargetSetting): TargetAuth {
  if (place?.at('scheme')?.text() !== 'login') return readPlainAuth(reading, place, setting);
  const shown = readPlainAuth(reading, place.at('with'), setting);
  return { scheme: 'login', with: shown, ...readLogin(reading, place, setting) };
}

function readPlainAuth(reading: Reading, place: Place | undefined, { isPrivateAllowed }: TargetSetting): PlainAuth {
  switch (place?.at('scheme')?.text()) {
    case 'bearer':
      return { scheme: 'bearer', token: readHeaderSecret(reading, place.at('token')) };
    case 'basic': {
      const user = readTextOrVariable(reading, place.at('user'), userFault);
      return { scheme: 'basic', user, password: readSecretOrNothing(reading, place.at('password')) };
    }
    case 'hmac':
      return readCallSignature(reading, place);
    case 'oauth2-client-credentials':
      return readClientCredentials(reading, place, isPrivateAllowed);
    default:
      return { scheme: 'none' };
  }
}

function readCallSignature(reading: Reading, place: Place): CallSignature {
  const timestamp = place.at('timestamp');
  const header = timestamp?.at('header')?.text();
  const format = FORMATS.find((name) => name === timestamp?.at('format')?.text()) ?? 'unix';
  const signed = readSigned(reading, place, ['body', 'timestamp', 'method', 'url']);
  return {
    scheme: 'hmac',
    header: place.at('header')?.text() ?? '',
    algorithm: ALGORITHMS.find((name) => name === place.at('algorithm')?.text()) ?? 'sha256',
    encoding: ENCODINGS.find((name) => name === place.at('encoding')?.text()) ?? 'hex',
    prefix: place.at('prefix')?.text() ?? '',
    signed: signed.flatMap((part) => (part.kind === 'form_sorted' ? [] : part)),
    ...(header !== undefined && { timestamp: { header, format } }),
    key: Buffer.from(readSecretOrNothing(reading, place.at('secret')), 'utf8'),
  };
}

function readClientCredentials(reading: Reading, place: Place, isPrivateAllowed: boolean): ClientCredentials {
  const scope = place.at('scope')?.text();
  const audience = place.at('audience')?.text();
  return {
    scheme: 'oauth2-client-credentials',
    tokenUrl: readCalledUrl(reading, place.at('token_url'), isPrivateAllowed),
    clientId: readTextOrVariable(reading, place.at('client_id'), () => undefined),
    clientSecret: readSecretOrNothing(reading, place.at('client_secret')),
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    credentialsIn: place.at('credentials_in')?.text() === 'body' ? 'body' : 'header',
  };
}

/** A name that may stand in the file, and in the environment as well. */
function readTextOrVariable(
  reading: Reading,
  place: Place | undefined,
  fault: (value: string) => string | undefined,
): string {
  const text = place?.text();
  if (place === undefined || text === undefined) return '';
  const name = variableIn(text);
  const value = name === undefined ? text : readVariable(reading, place, name);
  const wrong =
    value === undefined ? undefined : ((name === undefined ? variableFault(value) : undefined) ?? fault(value));
  if (wrong !== undefined) reading.mistakes.atValue(place, wrong);
  return value ?? '';
}

function userFault(value: string): string | undefined {
  return /[:\p{Cc}]/u.test(value) ? 'expected a user name without `:`' : undefined;
}

function readHeaderSecret(reading: Reading, place: Place | undefined): string {
  const fault = (value: string) =>
    /^[\x21-\x7e]+$/.test(value) ? undefined : 'has blanks or characters that no HTTP header can carry';
  return place === undefined ? '' : (readSecret(reading, place, fault) ?? '');
}

function readSecretOrNothing(reading: Reading, place: Place | undefined): string {
  return place === undefined ? '' : (readSecret(reading, place, () => undefined) ?? '');
}
