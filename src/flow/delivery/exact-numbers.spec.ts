import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { json, numberText } from '../../../test/support/arbitrary-json.js';
import { JsonNumber, type Json } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { ExactNumber, toComparable, toDouble, toJsonText, toPlain } from './exact-numbers.js';
import { draws } from '../../../test/support/draws.js';

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

describe('numbers on their way through doubles', () => {
  test('every value comes out as it went in', () => {
    fc.assert(
      fc.property(json, (value) => {
        const written = toJsonText(toPlain(value));
        // Names that look like array positions change places in a plain object; nothing else may.
        expect(written && sorted(JSON.parse(exactAsText(written)))).toBe(
          sorted(JSON.parse(exactAsText(writeJson(value)))),
        );
      }),
      { numRuns: draws(2_000) },
    );
  });

  test('every number comes out digit by digit', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(toJsonText({ n: toPlain(new JsonNumber(text)) })).toBe(`{"n":${text}}`);
      }),
      { numRuns: draws(2_000) },
    );
  });

  test.each(['9007199254740993', '1299.00', '-0', '1e2', '0.10', '1E400', '1e-400', '123456789012345678901234567890'])(
    '%s travels as it is',
    (text) => {
      expect(toPlain(new JsonNumber(text))).toEqual(new ExactNumber(text));
    },
  );

  test.each(['0', '7', '-5', '0.1', '1299.5', '9007199254740991', '1e+21'])('%s is the number itself', (text) => {
    expect(toPlain(new JsonNumber(text))).toBe(Number(text));
  });

  test('`__proto__` becomes a member and no prototype', () => {
    const plain = toPlain(new Map<string, Json>([['__proto__', new Map([['admin', true]])]]));
    expect(isPlain(plain) && Object.keys(plain)).toEqual(['__proto__']);
    expect(isPlain(plain) && plain['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
  });
});

/** Every number as text, so that a reader with doubles can compare digits. Strings are told apart by a mark. */
function exactAsText(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (found) =>
    found.startsWith('"') ? found : `"number ${found}"`,
  );
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${(value as readonly unknown[]).map(sorted).join(',')}]`;
  if (!isPlain(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${sorted(Object.getOwnPropertyDescriptor(value, name)?.value)}`).join(',')}}`;
}

describe('an exact number', () => {
  test.each([
    ['1299.00', 1299],
    ['0.10', 0.1],
    ['1e2', 100],
    ['-0', 0],
  ])('%s is the double %s', (digits, double) => {
    expect(toDouble(new ExactNumber(digits)) + 0).toBe(double);
    expect(toComparable(new ExactNumber(digits))).toBe(toDouble(new ExactNumber(digits)));
  });

  test.each(['9007199254740993', '1E400', '1e-400', '0.1000000000000000000001'])('%s is no double', (digits) => {
    expect(() => toDouble(new ExactNumber(digits))).toThrow(`${digits} has more digits than arithmetic can hold`);
  });

  test('compares by its value, however it is written', () => {
    expect(toComparable(new ExactNumber('9007199254740993.0'))).toBe(toComparable(new ExactNumber('9007199254740993')));
    expect(toComparable(new ExactNumber('9007199254740993'))).not.toBe(
      toComparable(new ExactNumber('9007199254740995')),
    );
  });

  test('is not copied by way of JSON, where its digits would get lost', () => {
    expect(() => JSON.stringify([new ExactNumber('1.00')])).toThrow('1.00 cannot be copied');
  });
});
