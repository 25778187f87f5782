import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { json, numberText } from '../../../test/support/arbitrary-json.js';
import { JsonNumber, type Json } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { ExactNumbers } from './exact-numbers.js';

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An expression would concatenate so; only the token’s text counts. */
function tokenOf(numbers: ExactNumbers, text: string): string {
  const token = numbers.toPlain(new JsonNumber(text));
  if (typeof token !== 'string') throw new Error(`${text} needs no token`);
  return token;
}

describe('numbers on their way through doubles', () => {
  test('every value comes out as it went in', () => {
    fc.assert(
      fc.property(json, (value) => {
        const numbers = new ExactNumbers();
        const written = numbers.toJson(numbers.toPlain(value));
        // Names that look like array positions change places in a plain object; nothing else may.
        expect(written && sorted(JSON.parse(exactAsText(written)))).toBe(
          sorted(JSON.parse(exactAsText(writeJson(value)))),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test('every number comes out digit by digit', () => {
    fc.assert(
      fc.property(numberText, (text) => {
        const numbers = new ExactNumbers();
        expect(numbers.toJson({ n: numbers.toPlain(new JsonNumber(text)) })).toBe(`{"n":${text}}`);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['9007199254740993', '1299.00', '-0', '1e2', '0.10', '1E400', '1e-400', '123456789012345678901234567890'])(
    '%s is a token',
    (text) => {
      expect(typeof new ExactNumbers().toPlain(new JsonNumber(text))).toBe('string');
    },
  );

  test.each(['0', '7', '-5', '0.1', '1299.5', '9007199254740991', '1e+21'])('%s is the number itself', (text) => {
    expect(new ExactNumbers().toPlain(new JsonNumber(text))).toBe(Number(text));
  });

  test('`__proto__` becomes a member and no prototype', () => {
    const plain = new ExactNumbers().toPlain(new Map<string, Json>([['__proto__', new Map([['admin', true]])]]));
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

describe('a token in a text', () => {
  const numbers = new ExactNumbers();
  const token = tokenOf(numbers, '1299.00');

  test.each([
    ['alone is the number', token, '1299.00'],
    ['with text before it', `EUR ${token}`, '"EUR 1299.00"'],
    ['with text after it', `${token} EUR`, '"1299.00 EUR"'],
    ['twice', `${token}/${token}`, '"1299.00/1299.00"'],
    ['between quotes', `"${token}"`, '"\\"1299.00\\""'],
    ['after a quote', `5"${token}`, '"5\\"1299.00"'],
    ['before a quote', `${token}"`, '"1299.00\\""'],
    ['after a backslash', `\\${token}`, '"\\\\1299.00"'],
  ])('%s', (_what, text, written) => {
    expect(numbers.toJson(text)).toBe(written);
    expect(numbers.toJson({ a: [text] })).toBe(`{"a":[${written}]}`);
  });

  test('as a name stays a name', () => {
    expect(numbers.toJson({ [token]: 1 })).toBe('{"1299.00":1}');
  });

  test('whatever text stands around it, the result is JSON with the digits in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
        fc.pre(before !== '' || after !== '');
        expect(JSON.parse(numbers.toJson(before + token + after) ?? '')).toBe(`${before}1299.00${after}`);
      }),
    );
  });
});

describe('text of a payload is never taken for a token', () => {
  test('not even text that was made like one', () => {
    const numbers = new ExactNumbers();
    const foreign = tokenOf(new ExactNumbers(), '1.00');
    for (const text of [foreign, '\u0001', '\u0001:1.00\u0002', '\\u0001:1\\u0002', '\u0001AAAAAAAAAAAA:1.00\u0002']) {
      expect(JSON.parse(numbers.toJson(numbers.toPlain(text)) ?? '')).toBe(text);
    }
  });

  test('and the mark is another each time', () => {
    expect(tokenOf(new ExactNumbers(), '1.00')).not.toBe(tokenOf(new ExactNumbers(), '1.00'));
  });
});

describe('toDouble', () => {
  test.each([
    ['1299.00', 1299],
    ['1e2', 100],
    ['0.10', 0.1],
    ['-0', -0],
    ['9007199254740992.0', 9007199254740992],
  ])('gives arithmetic %s as %d', (text, double) => {
    const numbers = new ExactNumbers();
    expect(numbers.toDouble(tokenOf(numbers, text))).toBe(double);
  });

  test.each(['9007199254740993', '1E400', '1e-400', '0.1000000000000000055511151231257827'])(
    'refuses %s, which a double cannot hold',
    (text) => {
      const numbers = new ExactNumbers();
      expect(() => numbers.toDouble(tokenOf(numbers, text))).toThrow(
        `${text} has more digits than arithmetic can hold`,
      );
    },
  );

  test('leaves text that is no token to others', () => {
    const numbers = new ExactNumbers();
    expect(numbers.toDouble('12')).toBeUndefined();
    expect(numbers.toDouble(tokenOf(new ExactNumbers(), '1.00'))).toBeUndefined();
  });
});

test('what has no JSON text gives none', () => {
  expect(new ExactNumbers().toJson(undefined)).toBeUndefined();
  expect(new ExactNumbers().toJson(() => 1)).toBeUndefined();
});
