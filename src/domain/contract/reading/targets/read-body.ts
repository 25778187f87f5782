import jsonata from 'jsonata';
import { isJsonNumberText } from '../../../json/canonical-number.js';
import { didYouMean } from '../nearest.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import { wordList } from '../word-list.js';
import { namesInBody, type BodyNames } from './names-in-body.js';

/** What a body may be made of, beside what every body has. */
export interface BodyScope {
  /** Entity types under `needs`. */
  readonly needs: readonly string[];
  /** The names of the target's `secrets`. */
  readonly secrets: readonly string[];
  /** `current` where there is `before`, `ticket` where there is one. */
  readonly inputs: readonly string[];
}

/** The JSONata expression's source text, with a complaint when it does not parse or asks for what nobody gives. */
export function readBody(reading: Reading, place: Place | undefined, scope: BodyScope): string | undefined {
  const source = place?.text();
  if (place === undefined || source === undefined) return source;
  const names = namesInBody(source);
  const fault = names === undefined ? syntaxFault(source) : nameFault(names, scope);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  else if (names !== undefined) warnOfUnknownInputs(reading, place, names, scope);
  return source;
}

function syntaxFault(source: string): string | undefined {
  try {
    jsonata(source);
    return undefined;
  } catch (error) {
    const { message, position } = error as { readonly message: string; readonly position?: number };
    const before = source.slice(0, position ?? 0).split('\n');
    const character = `character ${String((before.at(-1) ?? '').length)}`;
    const where = source.includes('\n') ? `line ${String(before.length)}, ${character}` : character;
    return `this is not JSONata: ${message} (at ${where} of the expression)`;
  }
}

function nameFault(names: BodyNames, { needs, secrets, inputs }: BodyScope): string | undefined {
  const unneeded = names.refs.find((name) => !needs.includes(name));
  if (unneeded !== undefined) {
    return `\`$ref("${unneeded}", …)\` is known only where \`needs\` names \`${unneeded}\`${didYouMean(unneeded, needs)}`;
  }
  if (names.variables.has('$ref') && needs.length === 0) return '`$ref` is known only where there are `needs`';
  const inexact = names.exacts.find((text) => !isJsonNumberText(text));
  if (inexact !== undefined) return `\`$exact\` makes a number of its digits; \`${inexact}\` is none`;
  const secret = names.secrets.find((name) => !secrets.includes(name));
  if (secret !== undefined)
    return `unknown secret \`${secret}\`${didYouMean(secret, secrets)}; ${expectedSecrets(secrets)}`;
  if (names.variables.has('$secrets') && secrets.length === 0)
    return `\`$secrets\` is empty; ${expectedSecrets(secrets)}`;
  if (names.inputs.has('current') && !inputs.includes('current')) {
    return '`current` is the answer to `before`, which is missing here';
  }
  return undefined;
}

function expectedSecrets(secrets: readonly string[]): string {
  return secrets.length === 0 ? 'there are no `secrets` beside `base_url`' : `expected ${wordList(secrets)}`;
}

const INPUTS = ['entity', 'event', 'mapping', 'refs', 'state'];

/** No mistake: JSONata takes what is not there for nothing, and somebody may mean that. */
function warnOfUnknownInputs(reading: Reading, place: Place, { inputs }: BodyNames, scope: BodyScope): void {
  const known = [...INPUTS, ...scope.inputs];
  for (const name of inputs) {
    if (known.includes(name)) continue;
    const message = `\`${name}\` is nothing that a body is made of${didYouMean(name, known)}; expected ${wordList(known)}`;
    reading.mistakes.warn(place, message);
  }
}
