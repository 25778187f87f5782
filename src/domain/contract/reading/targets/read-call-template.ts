import { parseCallHole, parseCallTemplate, type CallHole, type CallTemplate } from '../../call-template.js';
import { didYouMean } from '../nearest.js';
import type { Place } from '../place.js';
import { selectorFault } from '../read-selector.js';
import { variableFault } from '../read-variable.js';
import type { Reading } from '../reading.js';
import { wordList } from '../word-list.js';
import { HOME_OF_WORD, type HoleScope } from './hole-scope.js';

/** The template at `place`, or undefined with a complaint about its first hole that nothing fills there. */
export function readCallTemplate(reading: Reading, place: Place, scope: HoleScope): CallTemplate | undefined {
  const source = place.text();
  if (source === undefined) return undefined;
  const fault = callTemplateFault(source, scope);
  if (fault !== undefined) reading.mistakes.atValue(place, fault);
  return fault === undefined ? parseCallTemplate(source) : undefined;
}

/** The sentence about a text that is no call template, or that has a hole which nothing fills. */
export function callTemplateFault(source: string, scope: HoleScope): string | undefined {
  const fault = variableFault(source);
  if (fault !== undefined) return fault;
  for (const [, hole = ''] of source.matchAll(/\{([^{}]*)\}/g)) {
    const found = holeFault(hole, scope);
    if (found !== undefined) return found;
  }
  return parseCallTemplate(source) === undefined ? 'a brace is open or closed that has no partner' : undefined;
}

function holeFault(source: string, scope: HoleScope): string | undefined {
  const hole = parseCallHole(source);
  if (hole === undefined) return malformed(source, scope);
  switch (hole.kind) {
    case 'secret':
      return secretFault(hole.name, scope.secrets);
    case 'taken':
      return scope.taken.includes(hole.name) ? undefined : unknownHole(source, scope);
    case 'current':
      return currentFault(hole, scope);
    default:
      return scope.words.includes(hole.kind) ? undefined : misplaced(hole.kind);
  }
}

function currentFault({ place }: Extract<CallHole, { kind: 'current' }>, scope: HoleScope): string | undefined {
  if (!scope.words.includes('current')) return misplaced('current');
  const isKnown = place.kind === 'header' || place.kind === 'item';
  return isKnown ? undefined : 'an answer has a body, `{current/…}`, and headers, `{current.header/…}`';
}

function misplaced(word: keyof typeof HOME_OF_WORD): string {
  return `\`{${word === 'current' ? 'current…' : word}}\` is known in ${HOME_OF_WORD[word]}`;
}

function secretFault(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const expected = known.length === 0 ? 'there are no `secrets` beside `base_url`' : `expected ${wordList(known)}`;
  return `unknown secret \`${name}\`${didYouMean(name, known)}; ${expected}`;
}

function malformed(source: string, scope: HoleScope): string {
  const [, rest] = /^current\.?(.*)$/s.exec(source) ?? [];
  if (rest === undefined) return unknownHole(source, scope);
  return rest === '' ? '`{current/…}` and `{current.header/…}` say which part of it' : selectorFault(rest);
}

function unknownHole(source: string, { words, taken }: HoleScope): string {
  const known = [...words.map((word) => (word === 'current' ? 'current/…' : word)), ...taken];
  const expected = known.length === 0 ? 'none is known here' : `expected ${wordList(known.map((word) => `{${word}}`))}`;
  return `unknown hole \`{${source}}\`${didYouMean(source, known)}; ${expected}`;
}
