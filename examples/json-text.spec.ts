import { describe, expect, test } from '@jest/globals';
import { elementsOf, membersOf, mergedText, scalarOf } from './json-text.js';

describe('JSON taken apart', () => {
  test.each([
    ['nothing', '{}', []],
    [
      'digits',
      '{ "a": 1299.00 , "b":9007199254740993}',
      [
        ['a', '1299.00'],
        ['b', '9007199254740993'],
      ],
    ],
    [
      'brackets and commas in text',
      '{"a":"],},{","b":"\\"}"}',
      [
        ['a', '"],},{"'],
        ['b', '"\\"}"'],
      ],
    ],
    ['a name with signs', '{"a:\\"b,":[{"c":[1,2]}]}', [['a:"b,', '[{"c":[1,2]}]']]],
    ['one name twice', '{"a":1,"a":2}', [['a', '2']]],
  ])('members: %s', (_, text, members) => {
    expect([...membersOf(text)]).toEqual(members);
  });

  test.each([
    ['nothing', '[ ]', []],
    [
      'values of every kind',
      '[1.0, "a,b", [2, 3], {"c": null}, true]',
      ['1.0', '"a,b"', '[2, 3]', '{"c": null}', 'true'],
    ],
  ])('elements: %s', (_, text, elements) => {
    expect(elementsOf(text)).toEqual(elements);
  });
});

test('a merge changes what is named and keeps digits and order of the rest', () => {
  expect(mergedText('{"a":1.0,"b":2.50}', '{"c":3.0,"a":"x"}')).toBe('{"a":"x","b":2.50,"c":3.0}');
});

test('text and numbers are compared by what they say', () => {
  expect(['"a\\u0041"', '1.50', 'null', '[1]', undefined].map(scalarOf)).toEqual([
    'aA',
    '1.50',
    undefined,
    undefined,
    undefined,
  ]);
});
