import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normalizeExternalId, normalizeIdText } from './external-id.js';
import { draws } from '../../test/support/draws.js';

const RULES = { normalize: ['trim', 'nfc'] } as const;

describe('an external id', () => {
  test.each([
    ['as it is', 'C-10042', 'C-10042'],
    ['blanks around it', ' SKU-1\t', 'SKU-1'],
    ['a no-break space', '\u00A0SKU-1', 'SKU-1'],
    ['an inner blank belongs to it', '123 Oak', '123 Oak'],
    ['the case of letters belongs to it', 'sku-1', 'sku-1'],
    ['one spelling of an accent', 'Cafe\u0301-01', 'Caf\u00e9-01'],
    ['full-width letters are others', '\uff21CME-1', '\uff21CME-1'],
    ['leading zeros stay', '007', '007'],
    ['zero is an id', '0', '0'],
    ['255 characters', 'x'.repeat(255), 'x'.repeat(255)],
    ['255 characters of two units each', '😀'.repeat(255), '😀'.repeat(255)],
    ['255 characters without the blanks', ` ${'x'.repeat(255)} `, 'x'.repeat(255)],
  ])('%s', (_what, raw, externalId) => {
    expect(normalizeExternalId(raw, RULES)).toEqual({ kind: 'id', externalId });
  });

  test.each([
    ['nothing', '', /empty/],
    ['blanks alone', ' \t', /empty/],
    ['NUL', 'a\u0000', /NUL/],
    ['256 characters', 'x'.repeat(256), /256 characters.*none is cut/],
  ])('is refused: %s', (_what, raw, problem) => {
    expect(normalizeExternalId(raw, RULES)).toEqual({
      kind: 'unusable',
      problem: expect.stringMatching(problem),
    });
  });

  test('that was normalised once stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (raw) => {
        const once = normalizeIdText(raw, RULES);
        expect(normalizeIdText(once, RULES)).toBe(once);
      }),
      { numRuns: draws(2_000) },
    );
  });

  test('keeps its spelling where the system declares no steps', () => {
    expect(normalizeExternalId(' Cafe\u0301 ', { normalize: [] })).toEqual({ kind: 'id', externalId: ' Cafe\u0301 ' });
  });

  test('goes through the declared steps and no others', () => {
    expect(normalizeIdText(' e\u0301 ', { normalize: ['nfc'] })).toBe(' é ');
    expect(normalizeIdText(' e\u0301 ', { normalize: ['trim'] })).toBe('e\u0301');
  });
});
