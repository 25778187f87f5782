import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { json, jsonDocument } from '../../../test/support/arbitrary-json.js';
import { readJson } from './read-json.js';
import { writeJson } from './write-json.js';
import { draws } from '../../../test/support/draws.js';

test('what was read and written reads as the same value, with every number and in the same order', () => {
  fc.assert(
    fc.property(jsonDocument, ({ text, value }) => {
      const written = writeJson(readJson(text).value);
      expect(written).toBe(writeJson(value));
      expect(readJson(written).value).toEqual(value);
    }),
    { numRuns: draws(1_000) },
  );
});

test('what is written is JSON for everybody else too', () => {
  fc.assert(fc.property(json, (value) => expect(() => JSON.parse(writeJson(value)) as unknown).not.toThrow()));
});

test.each([
  '{"n":9007199254740993,"amount":1299.00,"e":1E+2,"z":-0}',
  '{"b":1,"a":2,"1":3,"0":4,"__proto__":{"x":[]}}',
  '["\\u0000","\\"",true,false,null,{},[]]',
])('%s comes out as it went in', (text) => {
  expect(writeJson(readJson(text).value)).toBe(text);
});
