import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseCallTemplate } from '../../call-template.js';
import type { HoleScope, HoleWord } from './hole-scope.js';
import { callTemplateFault } from './read-call-template.js';
import { draws } from '../../../../../test/support/draws.js';

/** One hole for each meaning, and the word that must be known for it; `secret` and `taken` are known by name. */
const HOLES = {
  internal_id: ['{internal_id}'],
  external_id: ['{external_id}'],
  ticket: ['{ticket}'],
  current: ['{current/version}', '{current.header/etag}'],
  secret: ['{secrets.key}'],
  taken: ['{csrf}'],
} as const;
type Meaning = keyof typeof HOLES;

const MEANINGS = Object.keys(HOLES) as readonly Meaning[];
const WORDS: readonly HoleWord[] = ['internal_id', 'external_id', 'ticket', 'current'];

const text = fc.string({ unit: fc.constantFrom('a', '/', '?', '=', "'", '(', ')', '.', ' '), maxLength: 6 });
const known = fc.subarray([...MEANINGS]);
const hole = fc
  .constantFrom(...MEANINGS)
  .chain((meaning) => fc.constantFrom(...HOLES[meaning]).map((written) => ({ meaning, written })));

function scopeOf(meanings: readonly Meaning[]): HoleScope {
  return {
    words: WORDS.filter((word) => meanings.includes(word)),
    secrets: meanings.includes('secret') ? ['key'] : [],
    taken: meanings.includes('taken') ? ['csrf'] : [],
  };
}

describe('a template of a call', () => {
  test('is taken exactly where each of its holes means something', () => {
    const pieces = fc.array(fc.tuple(text, hole), { maxLength: 4 });
    fc.assert(
      fc.property(known, pieces, text, (meanings, holes, end) => {
        const source = holes.map(([before, { written }]) => before + written).join('') + end;
        const isFilled = holes.every(([, { meaning }]) => meanings.includes(meaning));
        expect(callTemplateFault(source, scopeOf(meanings)) === undefined).toBe(isFilled);
      }),
      { numRuns: draws(5_000) },
    );
  });

  test('keeps every character that is no hole', () => {
    const anything = fc.array(
      fc.oneof(text, fc.constantFrom('{', '}', '{internal_id}', '{current/a}', '{x y}', '${A}')),
    );
    fc.assert(
      fc.property(anything, (pieces) => {
        const source = pieces.join('');
        const template = parseCallTemplate(source);
        const literal = (template?.parts ?? []).filter((part) => typeof part === 'string').join('');
        if (template !== undefined) expect(literal).toBe(source.replaceAll(/\{[^{}]*\}/g, ''));
        if (template !== undefined) expect(literal).not.toMatch(/[{}]/);
      }),
      { numRuns: draws(5_000) },
    );
  });
});
