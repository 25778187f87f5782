import { describe, expect, test } from '@jest/globals';
import { JsonNumber, type Json } from '../json/json.js';
import { parsePointer, valueAt } from './pointer.js';

describe('a JSON Pointer', () => {
  test.each([
    ['', []],
    ['/', ['']],
    ['/a/b', ['a', 'b']],
    ['/a~1b/m~0n', ['a/b', 'm~n']],
    // ~01 is the name ~1, not a slash: the order of the two replacements matters.
    ['/~01', ['~1']],
    ['/a//b', ['a', '', 'b']],
    ['/ /é', [' ', 'é']],
  ])('%j has the steps %j', (source, steps) => {
    expect(parsePointer(source)).toEqual({ source, steps });
  });

  test.each(['a', 'a/b', '#/a', '/a~', '/a~2'])('%j is none', (source) => {
    expect(parsePointer(source)).toBeUndefined();
  });

  const inner = new Map<string, Json>([
    ['', 'nameless'],
    ['a/b', true],
    ['__proto__', 'a name like any other'],
  ]);
  const list: Json = ['first', null, inner];
  const root: Json = new Map<string, Json>([
    ['list', list],
    ['n', new JsonNumber('1.0')],
    ['01', 'octal'],
  ]);

  test.each<readonly [string, Json | undefined]>([
    ['', root],
    ['/n', new JsonNumber('1.0')],
    ['/list/0', 'first'],
    ['/list/1', null],
    ['/list/2/', 'nameless'],
    ['/list/2/a~1b', true],
    ['/list/2/__proto__', 'a name like any other'],
    ['/01', 'octal'],
    ['/list/3', undefined],
    ['/list/-', undefined],
    ['/list/01', undefined],
    ['/list/length', undefined],
    ['/n/text', undefined],
    ['/constructor', undefined],
    ['/list/1/x', undefined],
  ])('%j leads to what stands there', (source, value) => {
    const pointer = parsePointer(source);
    expect(pointer && valueAt(root, pointer)).toEqual(value);
  });
});
