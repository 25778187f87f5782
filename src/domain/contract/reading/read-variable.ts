import type { Place } from './place.js';
import type { Reading } from './reading.js';

const WHOLE_VARIABLE = /^\$\{([A-Za-z_]\w*)\}$/;
const LEADING_VARIABLE = /^\$\{([A-Za-z_]\w*)\}/;
const ANY_VARIABLE = /\$\{[A-Za-z_]\w*\}/;

/** The name in `${NAME}`, or undefined when the text is anything else. */
export function variableIn(text: string): string | undefined {
  return WHOLE_VARIABLE.exec(text)?.[1];
}

/** The variable's value; undefined, with a complaint at `place`, when it is unset or empty. */
export function readVariable(reading: Reading, place: Place, name: string): string | undefined {
  const value = reading.env(name);
  if (value === undefined) reading.mistakes.unsetVariable(place, name);
  else if (value === '') reading.mistakes.atValue(place, `the environment variable ${name} is empty`);
  return value === '' ? undefined : value;
}

/**
 * The text with the variable's value where it begins with `${NAME}`, or undefined, with a complaint, when it has none;
 * `subject` is what a sentence about the whole may call it without quoting a value.
 */
export function expandVariable(
  reading: Reading,
  place: Place,
  text: string,
): { readonly text: string; readonly subject: string } | undefined {
  const [written, name] = LEADING_VARIABLE.exec(text) ?? [];
  if (written === undefined || name === undefined) return { text, subject: 'this' };
  const value = readVariable(reading, place, name);
  if (value === undefined) return undefined;
  const rest = text.slice(written.length);
  const subject = rest === '' ? `the value of ${name}` : `the value of ${name} with what follows it`;
  return { text: rest === '' ? value : value.replace(/\/+$/, '') + rest, subject };
}

/** The sentence about a `${NAME}` where the environment has no say, or undefined when there is none. */
export function variableFault(text: string): string | undefined {
  if (!ANY_VARIABLE.test(text)) return undefined;
  return '`${…}` of the environment may stand in secrets, an access `key`, addresses such as `base_url` and the values of `when` only';
}
