import { describe, expect, test } from '@jest/globals';
import { readJson } from '../json/read-json.js';
import { parsePathPattern, reach, type Reached } from './path-pattern.js';

function reached(pattern: string, json: string): readonly Reached[] {
  const parsed = parsePathPattern(pattern);
  if (parsed === undefined) throw new Error(`${pattern} is no pattern.`);
  return reach(readJson(json).value, parsed);
}

const value = (path: string, text: unknown): Reached => ({ path, kind: 'value', value: text as string });

describe('a path pattern', () => {
  test.each([
    ['/customer_id', '{"customer_id":"77"}', [value('/customer_id', '77')]],
    ['/a/b', '{"a":{"b":"x"}}', [value('/a/b', 'x')]],
    ['/a/1', '{"a":["x","y"]}', [value('/a/1', 'y')]],
    ['/a~1b/~0', '{"a/b":{"~":"x"}}', [value('/a~1b/~0', 'x')]],
    ['/*', '["x","y"]', [value('/0', 'x'), value('/1', 'y')]],
    ['/tags/*', '{"tags":["x",null]}', [value('/tags/0', 'x'), value('/tags/1', null)]],
    ['/lines/*/id', '{"lines":[{"id":"x"},{}]}', [value('/lines/0/id', 'x'), { path: '/lines/1/id', kind: 'absent' }]],
    ['/a/*/b/*/c', '{"a":[{"b":[{"c":"x"}]},{"b":[]},{}]}', [value('/a/0/b/0/c', 'x')]],
    ['/*/*', '[["x"],["y"]]', [value('/0/0', 'x'), value('/1/0', 'y')]],
  ])('%s leads through %s', (pattern, json, expected) => {
    expect(reached(pattern, json)).toEqual(expected);
  });

  test.each(['{}', '{"lines":null}', '{"lines":[]}'])('leads nowhere through a list without elements: %s', (json) => {
    expect(reached('/lines/*/id', json)).toEqual([]);
  });

  test.each(['{"lines":{"id":"x"}}', '{"lines":"x"}', '{"lines":false}', '{"lines":""}'])(
    'tells that no list stands where it goes through one: %s',
    (json) => {
      expect(reached('/lines/*', json)).toEqual([{ path: '/lines', kind: 'no_list' }]);
      expect(reached('/lines/*/a/*/b', json)).toEqual([{ path: '/lines', kind: 'no_list' }]);
    },
  );

  test('tells what is absent from what is empty or null', () => {
    expect(reached('/a', '{"a":""}')).toEqual([value('/a', '')]);
    expect(reached('/a', '{"a":null}')).toEqual([value('/a', null)]);
    expect(reached('/a', '{}')).toEqual([{ path: '/a', kind: 'absent' }]);
    expect(reached('/a/b', '{"a":null}')).toEqual([{ path: '/a/b', kind: 'absent' }]);
  });

  test.each(['customer_id', '/a~2'])('%s is none', (source) => {
    expect(parsePathPattern(source)).toBeUndefined();
  });
});
