import { describe, expect, test } from '@jest/globals';
import { readFaultRules } from './fault-rule.js';

describe('a fault script is refused with every mistake named', () => {
  test.each([
    ['no list', {}, 'the script must be a list of rules'],
    ['a rule that is no object', ['delay'], 'rule 1: must be an object'],
    ['an unknown kind', [{ kind: 'dealy' }], 'rule 1: kind must be one of delay, hold, ignore_idempotency_key'],
    ['a missing member', [{ kind: 'delay' }], 'rule 1: ms is missing'],
    ['a member of another kind', [{ kind: 'garbage', ms: 5 }], 'rule 1: ms is not known here'],
    ['a negative time', [{ kind: 'throttle', for_ms: -1 }], 'rule 1: for_ms must be a whole number of milliseconds'],
    ['a status as text', [{ kind: 'status', status: '503' }], 'rule 1: status must be an HTTP status from 200 to 599'],
    ['no times', [{ kind: 'garbage', times: 0 }], 'rule 1: times must be a whole number from 1, or "*"'],
    ['another method', [{ kind: 'garbage', method: 'post' }], 'rule 1: method must be GET, POST, PUT, PATCH or DELETE'],
    [
      'a path without slash',
      [{ kind: 'garbage', path_prefix: 'a' }],
      'rule 1: path_prefix must be text with a leading /',
    ],
    [
      'an unknown style',
      [{ kind: 'throttle', for_ms: 1, retry_after: 5 }],
      'rule 1: retry_after must be one of seconds',
    ],
    ['chance without seed', [{ kind: 'garbage', probability: 0.1 }], 'rule 1: seed is missing'],
  ])('%s', (_, script, problem) => {
    expect(readFaultRules(script)).toMatchObject({ kind: 'refused', problems: [expect.stringContaining(problem)] });
  });

  test('several mistakes at once', () => {
    const read = readFaultRules([{ kind: 'garbage' }, { kind: 'delay', time: 1 }, { kind: 'status', status: 9 }]);
    expect(read).toMatchObject({ kind: 'refused', problems: { length: 3 } });
  });
});

test('a script without mistakes is returned as it stands', () => {
  const rules = [
    { kind: 'delay', ms: 0, times: '*', probability: 0.5, seed: 1 },
    { kind: 'status', status: 429, retry_after: 'Wed, 01 Jan 2025 00:00:00 GMT', body: 'busy', method: 'POST' },
  ];
  expect(readFaultRules(rules)).toEqual({ kind: 'rules', rules });
});
