import { describe, expect, test } from '@jest/globals';
import { diffJson } from './diff-json.js';
import { readJson } from './read-json.js';
import { writeJson } from './write-json.js';

function changes(before: string, after: string): readonly (readonly (string | undefined)[])[] {
  return diffJson(readJson(before).value, readJson(after).value).map((change) => [
    change.at,
    change.before === undefined ? undefined : writeJson(change.before),
    change.after === undefined ? undefined : writeJson(change.after),
  ]);
}

describe('what differs between two JSON values', () => {
  test.each([
    ['{"a":1}', '{"a":1.0}', []],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', []],
    ['{"a":{"b":1}}', '{"a":{"b":2}}', [['/a/b', '1', '2']]],
    ['{"a":1}', '{}', [['/a', '1', undefined]]],
    ['{}', '{"a/b":null}', [['/a~1b', undefined, 'null']]],
    ['{"l":[1,2]}', '{"l":[1,3]}', [['/l/1', '2', '3']]],
    ['{"l":[1]}', '{"l":[1,3]}', [['/l', '[1]', '[1,3]']]],
    ['{"a":9007199254740993}', '{"a":9007199254740992}', [['/a', '9007199254740993', '9007199254740992']]],
    ['{"a":"1"}', '{"a":1}', [['/a', '"1"', '1']]],
  ])('%s and %s', (before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});
