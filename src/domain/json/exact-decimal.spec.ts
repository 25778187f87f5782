import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { numberText } from '../../../test/support/arbitrary-json.js';
import { canonicalNumber } from './canonical-number.js';
import { addDecimals, compareDecimals, readDecimal, writeDecimal, type ExactDecimal } from './exact-decimal.js';
import { draws } from '../../../test/support/draws.js';

function decimal(text: string): ExactDecimal {
  const read = readDecimal(text, 100_000);
  if (read === undefined) throw new Error(`${text} was not read.`);
  return read;
}
const sum = (...texts: readonly string[]): string =>
  writeDecimal(texts.map(decimal).reduce(addDecimals, { units: 0n, scale: 0 }));

describe('the sum of decimals', () => {
  test.each([
    [['0.1', '0.2'], '0.3'],
    [['100.00', '1'], '101.00'],
    [['9007199254740993', '0.5'], '9007199254740993.5'],
    [['-0.10', '0.1'], '0.00'],
    [['1e3', '2.5E-2'], '1000.025'],
    [['-5', '2'], '-3'],
    [['-0'], '0'],
    [['-0.05', '-0.05'], '-0.10'],
  ])('of %j is %s', (texts, expected) => {
    expect(sum(...texts)).toBe(expected);
  });

  test('is the same in any order and any grouping, digit for digit', () => {
    fc.assert(
      fc.property(numberText, numberText, numberText, (a, b, c) => {
        expect(sum(c, b, a)).toBe(sum(a, b, c));
        expect(sum(a, sum(b, c))).toBe(sum(sum(a, b), c));
      }),
      { numRuns: draws(1_000) },
    );
  });
});

test('a decimal is written with its value', () => {
  fc.assert(
    fc.property(numberText, (text) => expect(canonicalNumber(writeDecimal(decimal(text)))).toBe(canonicalNumber(text))),
    { numRuns: draws(1_000) },
  );
});

test('decimals compare by value, however they are spelt', () => {
  expect(compareDecimals(decimal('1.0'), decimal('1.00'))).toBe(0);
  expect(compareDecimals(decimal('-2'), decimal('1e-9'))).toBe(-1);
  expect(compareDecimals(decimal('9007199254740993'), decimal('9007199254740992'))).toBe(1);
});

test.each(['', 'many', '007', '1,5', '0x10', 'NaN'])('%j is no decimal', (text) => {
  expect(readDecimal(text, 1_000)).toBeUndefined();
});

test.each([
  ['in front of the point', ['999', '1e2', '100e0', '1000e-1', '-0.1e2'], ['1000', '1e3', '1e1000000000000', '-0.1e4']],
  ['behind the point', ['0.001', '1e-3', '1000e-3', '0.01e-1'], ['0.0001', '1.0000', '1e-4', '1e-1000000000000']],
])('digits %s are counted before they are written out', (_place, few, many) => {
  for (const text of few) expect(readDecimal(text, 3)).toBeDefined();
  for (const text of many) expect(readDecimal(text, 3)).toBeUndefined();
});

test('what was written with so many digits is read with so many digits', () => {
  fc.assert(
    fc.property(numberText, fc.integer({ min: 1, max: 150 }), (text, digitsMax) => {
      const read = readDecimal(text, digitsMax);
      if (read !== undefined) expect(readDecimal(writeDecimal(read), digitsMax)).toEqual(read);
    }),
    { numRuns: draws(1_000) },
  );
});
