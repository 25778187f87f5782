import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalInstant, formatInstant, instantMicros } from './instant.js';
import { draws } from '../../test/support/draws.js';

const FIRST = BigInt(Date.UTC(2000, 0, 1)) * 1000n;
const noon = FIRST + 12n * 3_600_000_000n;

describe('instantMicros', () => {
  test.each([
    ['2000-01-01T00:00:00Z', FIRST],
    ['2000-01-01t00:00:00z', FIRST],
    ['2000-01-01T00:00:00.5Z', FIRST + 500_000n],
    ['2000-01-01T00:00:00.000001Z', FIRST + 1n],
    ['2000-01-01T00:00:00.0000019Z', FIRST + 1n],
    ['2000-01-01T00:00:00.123456789012345678901234567890Z', FIRST + 123_456n],
    ['2000-01-01T20:00:00+08:00', noon],
    ['2000-01-01T06:30:00-05:30', noon],
    ['2000-01-01T12:00:00-00:00', noon],
    ['1999-12-31T23:59:59.999999Z', FIRST - 1n],
    ['1969-12-31T23:59:59.999999Z', -1n],
    ['1970-01-01T00:00:00Z', 0n],
    // A leap second is the first second of the next minute.
    ['1999-12-31T23:59:60Z', FIRST],
    ['2000-01-01T07:59:60+08:00', FIRST],
    ['2000-02-29T00:00:00Z', BigInt(Date.UTC(2000, 1, 29)) * 1000n],
    ['2024-02-29T00:00:00Z', BigInt(Date.UTC(2024, 1, 29)) * 1000n],
    // Years below 100 are not in the twentieth century.
    ['0099-01-01T00:00:00Z', BigInt(Date.parse('0099-01-01T00:00:00Z')) * 1000n],
  ])('%s', (text, micros) => {
    expect(instantMicros(text)).toBe(micros);
  });

  test.each([
    '',
    '2000-01-01',
    '2000-01-01T00:00:00',
    '2000-01-01 00:00:00Z',
    '2000-01-01T00:00Z',
    '20000101T000000Z',
    '2000-1-1T00:00:00Z',
    '2000-01-01T00:00:00+0800',
    '2000-01-01T00:00:00+08',
    '2000-01-01T00:00:00.Z',
    '2000-01-01T00:00:00,5Z',
    '2000-13-01T00:00:00Z',
    '2000-00-01T00:00:00Z',
    '2000-01-00T00:00:00Z',
    '2000-01-32T00:00:00Z',
    '2000-02-30T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2000-04-31T00:00:00Z',
    '2000-01-01T24:00:00Z',
    '2000-01-01T00:60:00Z',
    '2000-01-01T00:00:61Z',
    '2000-01-01T00:00:00+24:00',
    '2000-01-01T00:00:00+08:60',
    ' 2000-01-01T00:00:00Z',
    '2000-01-01T00:00:00Z ',
    '2000-01-01T00:00:00Z\n',
    '+2000-01-01T00:00:00Z',
    '2000-01-01T00:00:00Zulu',
    '２０００-01-01T00:00:00Z',
    '946684800',
    '1e9',
    'now',
  ])('%j is no instant', (text) => {
    expect(instantMicros(text)).toBeUndefined();
    expect(canonicalInstant(text)).toBeUndefined();
  });

  test('reads every instant that Date writes', () => {
    const years = { min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
    fc.assert(
      fc.property(fc.date(years), (date) => {
        expect(instantMicros(date.toISOString())).toBe(BigInt(date.getTime()) * 1000n);
      }),
    );
  });
});

/** The same instant as a clock somewhere else would show it. */
function shownAt(micros: bigint, offsetMinutes: number): string {
  const shifted = formatInstant(micros + BigInt(offsetMinutes) * 60_000_000n);
  const [hours, minutes] = [Math.floor(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${shifted.slice(0, -1)}${offsetMinutes < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
}

const micros = fc.bigInt({ min: -62_000_000_000_000_000n, max: 253_000_000_000_000_000n });
const offset = fc.integer({ min: -1439, max: 1439 });

describe('formatInstant', () => {
  test('and instantMicros are each other’s inverse, to the microsecond', () => {
    fc.assert(
      fc.property(micros, (instant) => {
        const text = formatInstant(instant);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(instantMicros(text)).toBe(instant);
      }),
      { numRuns: draws(2_000) },
    );
  });

  test.each([
    [0n, '1970-01-01T00:00:00.000000Z'],
    [-1n, '1969-12-31T23:59:59.999999Z'],
    [FIRST + 20n, '2000-01-01T00:00:00.000020Z'],
  ])('%s is %s', (instant, text) => {
    expect(formatInstant(instant)).toBe(text);
  });
});

describe('the canonical text of an instant', () => {
  test('is one for all offsets', () => {
    fc.assert(
      fc.property(micros, offset, (instant, minutes) => {
        expect(instantMicros(shownAt(instant, minutes))).toBe(instant);
        expect(canonicalInstant(shownAt(instant, minutes))).toBe(canonicalInstant(formatInstant(instant)));
      }),
      { numRuns: draws(2_000) },
    );
  });

  test('differs for two instants', () => {
    fc.assert(
      fc.property(micros, micros, (a, b) => {
        const isEqual = canonicalInstant(formatInstant(a)) === canonicalInstant(formatInstant(b));
        expect(isEqual).toBe(a === b);
      }),
    );
  });

  test('keeps all digits of a fraction and none of its trailing zeros', () => {
    const canonical = canonicalInstant('2000-01-01T00:00:00.1234567Z');
    expect(canonicalInstant('2000-01-01T00:00:00.12345670000Z')).toBe(canonical);
    expect(canonicalInstant('2000-01-01T00:00:00.1234568Z')).not.toBe(canonical);
    expect(canonicalInstant('2000-01-01T00:00:00.000Z')).toBe(canonicalInstant('2000-01-01T00:00:00Z'));
  });
});
