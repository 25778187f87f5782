import { RE2JS, RE2JSSyntaxException } from 're2js';
import { isJsonNumberText, plainNumber } from '../../json/canonical-number.js';
import type { Condition, ConditionTest } from '../condition.js';
import type { Place } from './place.js';
import { readSelectorKey } from './read-selector.js';
import { readVariable, variableFault, variableIn } from './read-variable.js';
import type { Reading } from './reading.js';

/** The conditions of a `when`; what cannot be read is left out, with a complaint. */
export function readConditions(reading: Reading, place: Place | undefined): readonly Condition[] {
  return (place?.entries() ?? []).flatMap(([key, asked]) => readCondition(reading, key, asked) ?? []);
}

/** What must hold at the place that `key` names, or undefined with a complaint. */
export function readCondition(reading: Reading, key: string, asked: Place): Condition | undefined {
  const selector = readSelectorKey(reading, asked, key);
  if (selector?.kind === 'hash') reading.mistakes.atKey(asked, 'a digest is never known beforehand');
  const test = readTest(reading, asked);
  return selector === undefined || test === undefined ? undefined : { place: selector, test };
}

function readTest(reading: Reading, place: Place): ConditionTest | undefined {
  if (!place.isBlock()) return readAnyOf(reading, place);
  const exists = place.at('exists')?.plain();
  if (typeof exists === 'boolean') return { kind: 'exists', expected: exists };
  const matches = place.at('matches');
  if (matches !== undefined) return readMatches(reading, matches);
  const not = place.at('not');
  const test = not === undefined ? undefined : readTest(reading, not);
  return test === undefined ? undefined : { kind: 'not', test };
}

function readAnyOf(reading: Reading, place: Place): ConditionTest {
  const values = place.oneOrMore();
  const texts = values.flatMap((value) => readValue(reading, value));
  const isSecret = values.some((value) => variableIn(value.spelling() ?? '') !== undefined);
  return { kind: 'any_of', texts, ...(isSecret && { isSecret }) };
}

/** The texts that the value may have: a number's own spelling, and the one that every number of a body gets. */
function readValue(reading: Reading, place: Place): readonly string[] {
  const text = place.spelling();
  if (text === undefined) return [];
  const variable = variableIn(text);
  if (variable !== undefined) return [readVariable(reading, place, variable) ?? []].flat();
  const fault = variableFault(text);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  const isNumber = place.number() !== undefined && isJsonNumberText(text);
  return isNumber ? [...new Set([text, plainNumber(text)])] : [text];
}

/** RE2 takes time in proportion to the text, whatever the pattern: a body cannot bring the door to a stand. */
function readMatches(reading: Reading, place: Place): ConditionTest | undefined {
  const source = place.text();
  if (source === undefined) return undefined;
  try {
    return { kind: 'matches', pattern: RE2JS.compile(source) };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    reading.mistakes.atValue(place, `this is no regular expression of RE2: ${error.message}`);
    return undefined;
  }
}
