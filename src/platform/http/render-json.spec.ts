import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RawJson, renderJson, type Renderable } from './render-json.js';

describe('renderJson', () => {
  test.each<readonly [string, Renderable, string]>([
    ['raw JSON as it is', { payload: new RawJson('{ "amount": 1299.00 }') }, '{"payload":{ "amount": 1299.00 }}'],
    [
      'bigints as numbers',
      { revision: 9007199254740993n, list: [1n, -1n] },
      '{"revision":9007199254740993,"list":[1,-1]}',
    ],
    ['null where nothing stands in a list', [undefined, null], '[null,null]'],
    ['no member where it is undefined', { a: undefined, b: null }, '{"b":null}'],
    ['text with its escapes', { 'a"b': '\n\u0000"' }, '{"a\\"b":"\\n\\u0000\\""}'],
    ['nothing as null', undefined, 'null'],
    ['text alone', 'x', '"x"'],
    ['empty things', { a: {}, b: [] }, '{"a":{},"b":[]}'],
    ['raw JSON alone', new RawJson('1.00'), '1.00'],
    ['raw JSON in a list', [new RawJson('1.00')], '[1.00]'],
  ])('writes %s', (_what, value, text) => {
    expect(renderJson(value)).toBe(text);
  });

  test('writes everything else as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(renderJson(value as Renderable)).toBe(JSON.stringify(value));
      }),
    );
  });
});
