import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runInNewContext } from 'node:vm';
import { numberText } from '../../../test/support/arbitrary-json.js';
import { canonicalNumber, plainNumber } from './canonical-number.js';
import { draws } from '../../../test/support/draws.js';

/** The value as an integer and a power of ten, by plain arithmetic: what the canonical text must agree with. */
interface Value {
  readonly mantissa: bigint;
  readonly exponent: number;
}

function valueOf(text: string): Value {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  return { mantissa: BigInt(sign + whole + fraction), exponent: Number(exponent) - fraction.length };
}

function isSameValue(a: string, b: string): boolean {
  const [x, y] = [valueOf(a), valueOf(b)];
  const low = Math.min(x.exponent, y.exponent);
  return x.mantissa * 10n ** BigInt(x.exponent - low) === y.mantissa * 10n ** BigInt(y.exponent - low);
}

/** Other ways to write the same number. */
function respelt(text: string): fc.Arbitrary<string> {
  return fc
    .record({ zeros: fc.nat(30), shift: fc.integer({ min: -200, max: 200 }), letter: fc.constantFrom('e', 'E', 'e+') })
    .map(({ zeros, shift, letter }) => {
      const { mantissa, exponent } = valueOf(text);
      const sign = text.startsWith('-') ? '-' : '';
      const digits = String(mantissa < 0n ? -mantissa : mantissa) + '0'.repeat(zeros);
      const power = exponent - zeros;
      if (shift >= 0)
        return `${sign}${digits}.${'0'.repeat(shift % 7)}${spelt(power, letter)}`.replace(/\.(?=e|E|$)/, '');
      return `${sign}0.${'0'.repeat(-shift)}${digits}${spelt(power + digits.length - shift, letter)}`;
    });
}

function spelt(power: number, letter: string): string {
  return power < 0 ? `${letter.slice(0, 1)}${power}` : `${letter}${power}`;
}

describe('the canonical text of a number', () => {
  test('is one for all spellings of one value', () => {
    const pairs = numberText.chain((text) => fc.tuple(fc.constant(text), respelt(text)));
    fc.assert(
      fc.property(pairs, ([text, other]) => {
        expect(isSameValue(text, other)).toBe(true);
        expect(canonicalNumber(other)).toBe(canonicalNumber(text));
      }),
      { numRuns: draws(5_000) },
    );
  });

  test('is equal for two numbers exactly when they are equal', () => {
    // Few digits, so that equal pairs are frequent.
    const small = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.nat(12),
        fc.constantFrom('', '.0', '.1', '.10', '.01'),
        fc.integer({ min: -3, max: 3 }),
      )
      .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction}e${exponent}`);
    fc.assert(
      fc.property(small, small, (a, b) => {
        expect(canonicalNumber(a) === canonicalNumber(b)).toBe(isSameValue(a, b));
      }),
      { numRuns: draws(20_000) },
    );
  });

  test('is itself a number of that value, and its own canonical text', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const canonical = canonicalNumber(text);
        expect(isSameValue(canonical, text)).toBe(true);
        expect(canonicalNumber(canonical)).toBe(canonical);
      }),
      { numRuns: draws(2_000) },
    );
  });

  test.each([
    ['100', '100'],
    ['100.00', '100'],
    ['1e2', '100'],
    ['0.1E+3', '100'],
    ['12.50', '12.5'],
    ['-0', '0'],
    ['-0.00e5', '0'],
    ['0e999999999999', '0'],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.0', '9007199254740993'],
    ['1000000000000000000000', '1000000000000000000000'],
    ['1e-7', '0.0000001'],
    ['-12.5e-1', '-1.25'],
    ['1e400', '1e400'],
    ['1000e397', '1e400'],
    ['1e-400', '1e-400'],
    ['1e99999999999999999999', '1e99999999999999999999'],
    ['10e99999999999999999998', '1e99999999999999999999'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalNumber(text)).toBe(canonical);
  });

  test('keeps values apart that a double cannot', () => {
    expect(canonicalNumber('9007199254740992')).not.toBe(canonicalNumber('9007199254740993'));
    expect(canonicalNumber('0.1')).not.toBe(canonicalNumber('0.1000000000000000055511151231257827'));
    expect(canonicalNumber('1e400')).not.toBe(canonicalNumber('1e401'));
  });

  // A body of some 100 kB would otherwise hold the only thread for minutes; linear work takes milliseconds.
  test.each([
    ['zeros between two digits', `1${'0'.repeat(150_000)}1`],
    ['zeros in a fraction', `0.${'0'.repeat(150_000)}1`],
    ['zeros around a point', `1${'0'.repeat(75_000)}.${'0'.repeat(75_000)}1`],
    ['an exponent of a thousand digits', `1e${'9'.repeat(1_000)}`],
  ])('does not hold the thread: %s', (_what, text) => {
    expect(() => interrupted(() => canonicalNumber(text))).not.toThrow();
  });
});

/** Runs `act` and throws when it has not come back after three seconds, which no timer of ours could notice. */
function interrupted(act: () => unknown): void {
  runInNewContext('act()', { act }, { timeout: 3_000 });
}

test.each([
  ['17', '17'],
  ['9007199254740993', '9007199254740993'],
  ['12.50', '12.5'],
  ['100.00', '100'],
  ['1e3', '1000'],
])('as a part of a key %s is %s', (text, part) => {
  expect(plainNumber(text)).toBe(part);
});
