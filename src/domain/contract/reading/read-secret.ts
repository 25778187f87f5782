import type { Place } from './place.js';
import { readVariable, variableIn } from './read-variable.js';
import type { Reading } from './reading.js';

/**
 * The secret's value from the environment, or undefined with a complaint. `fault` says what is wrong with a value;
 * no message ever quotes one.
 */
export function readSecret(
  reading: Reading,
  place: Place,
  fault: (value: string) => string | undefined,
): string | undefined {
  const text = place.text();
  if (text === undefined) return undefined;
  const name = variableIn(text);
  if (name === undefined) {
    const message = 'a secret is written as `${NAME}` of an environment variable, never into the file';
    reading.mistakes.atValue(place, message);
    return undefined;
  }
  const value = readVariable(reading, place, name);
  const wrong = value === undefined ? undefined : fault(value);
  if (wrong !== undefined) reading.mistakes.atValue(place, `the value of ${name} ${wrong}`);
  return wrong === undefined ? value : undefined;
}

/** As readSecret, for a key that alone says who calls: it must be the only one of its kind. */
export function readCallerKey(reading: Reading, place: Place, caller: string): string | undefined {
  const value = readSecret(reading, place, headerFault);
  if (value === undefined) return undefined;
  const other = reading.callerByKey.get(value) ?? caller;
  reading.callerByKey.set(value, other);
  if (other !== caller) reading.mistakes.atValue(place, `${other} has the same key; nobody could tell the two apart`);
  return value;
}

function headerFault(value: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(value) ? undefined : 'has blanks or characters that no HTTP header can carry';
}

/** The Standard Webhooks specification fixes prefix and length. */
export function standardWebhooksFault(value: string): string | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  const isWellFormed = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '');
  if (isWellFormed && bytes.length >= 24 && bytes.length <= 64) return undefined;
  return 'is not `whsec_` and the base64 of 24 to 64 bytes';
}
