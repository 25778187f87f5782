import type { ErrorObject } from 'ajv';
import { didYouMean } from './nearest.js';
import { notThereYet } from './not-there-yet.js';
import { choiceOf, wordList } from './word-list.js';

/** One sentence about a difference from the schema, and what it is about: a value, a key in a block, or the block. */
export type Explained =
  | { readonly at: 'value'; readonly message: string }
  | { readonly at: 'block'; readonly message: string }
  | { readonly at: 'key'; readonly key: string; readonly message: string };

type ParentSchema = {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly patternErrorMessage?: string;
};

/** Returns undefined for errors that only repeat what another one says (`if`, `propertyNames`, parts of `oneOf`). */
export function explainSchemaError(error: ErrorObject): Explained | undefined {
  if (/\/oneOf\/\d/.test(error.schemaPath)) return undefined;
  const parent = error.parentSchema as ParentSchema;
  const number = String(error.params['limit']);
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(String(error.params['additionalProperty']), Object.keys(parent.properties ?? {}));
    case 'required':
      return { at: 'block', message: `\`${String(error.params['missingProperty'])}\` is missing` };
    case 'oneOf':
      return exactlyOne(error.schema as readonly { readonly required: readonly [string] }[]);
    case 'pattern':
      return wrongPattern(error, parent);
    case 'type':
      return wrongType(error, parent);
    case 'enum':
      return wrongWord(error.data, error.schema as readonly string[]);
    case 'const':
      return { at: 'value', message: `expected \`${String(error.schema)}\`` };
    case 'minLength':
      return { at: 'value', message: 'expected text, found an empty one' };
    case 'uniqueItems':
      return repeatedItem(Number(error.params['i']), Number(error.params['j']));
    case 'minItems':
      return { at: 'value', message: 'expected at least one item, found an empty list' };
    case 'minProperties':
      return { at: 'value', message: 'expected at least one key, found an empty block' };
    case 'minimum':
      return { at: 'value', message: `expected ${number} or more` };
    case 'maximum':
      return { at: 'value', message: `expected ${number} or less` };
    default:
      return undefined;
  }
}

function unknownKey(key: string, known: readonly string[]): Explained {
  const note = notThereYet(key) ?? `unknown key \`${key}\`${didYouMean(key, known)}; expected ${wordList(known)}`;
  return { at: 'key', key, message: note };
}

function exactlyOne(choices: readonly { readonly required: readonly [string] }[]): Explained {
  const words = wordList(choices.map((choice) => choice.required[0]));
  return { at: 'block', message: `expected exactly one of ${words}` };
}

function wrongPattern(error: ErrorObject, parent: ParentSchema): Explained {
  const message = parent.patternErrorMessage ?? 'this spelling is not allowed here';
  if (error.propertyName === undefined) return { at: 'value', message };
  return { at: 'key', key: error.propertyName, message: `\`${error.propertyName}\` cannot be a name here: ${message}` };
}

function wrongType(error: ErrorObject, parent: ParentSchema): Explained {
  const types = [error.params['type'] as string | readonly string[]].flat();
  const expected = parent.patternErrorMessage ?? `expected ${choiceOf(types.map(typeInWords))}`;
  const word = wordIn(error.data);
  const note = word === undefined ? undefined : notThereYet(word);
  return { at: 'value', message: `${note ?? `found ${kindInWords(error.data)}`}; ${expected}` };
}

function wrongWord(found: unknown, known: readonly string[]): Explained {
  const expected = `expected ${wordList(known)}`;
  if (typeof found !== 'string') return { at: 'value', message: `found ${kindInWords(found)}; ${expected}` };
  const note = notThereYet(found) ?? `\`${found}\` is not known here${didYouMean(found, known)}`;
  return { at: 'value', message: `${note}; ${expected}` };
}

function repeatedItem(one: number, other: number): Explained {
  const [first, second] = [Math.min(one, other) + 1, Math.max(one, other) + 1];
  return { at: 'value', message: `items ${String(first)} and ${String(second)} are the same` };
}

/** The word that a later version may know in this place: a text, or the first key of a block. */
function wordIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.keys(value)[0] : undefined;
}

function typeInWords(type: string): string {
  const words: Readonly<Record<string, string>> = {
    object: 'a block of keys',
    array: 'a list',
    string: 'text',
    number: 'a number',
    integer: 'a whole number',
    boolean: 'true or false',
  };
  return words[type] ?? type;
}

function kindInWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeInWords(typeof value);
}
