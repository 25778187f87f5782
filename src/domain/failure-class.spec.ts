import { describe, expect, test } from '@jest/globals';
import { answerClass, mayHaveBeenApplied, retryAfterMs } from './failure-class.js';

describe('the class of an answer', () => {
  test.each([
    ['ok', [200, 201, 202, 204, 299]],
    ['retryable', [408, 425, 500, 502, 503, 504, 507, 599]],
    ['throttled', [429]],
    ['auth', [401, 403]],
    ['final', [300, 301, 302, 307, 400, 404, 405, 409, 410, 412, 413, 415, 422, 451]],
  ] as const)('%s: %j', (expected, statuses) => {
    for (const status of statuses) expect([status, answerClass(status, false)]).toEqual([status, expected]);
  });

  test('503 asks for patience only when it says how long', () => {
    expect(answerClass(503, true)).toBe('throttled');
    expect(answerClass(500, true)).toBe('retryable');
    expect(answerClass(404, true)).toBe('final');
  });

  test('a create may have happened after a server error and a time-out, and not after a refusal', () => {
    const statuses = [200, 400, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504];
    expect(statuses.filter(mayHaveBeenApplied)).toEqual([408, 500, 502, 504]);
  });
});

const NOW = Date.UTC(2025, 0, 1, 12, 0, 0);
const DAY_MS = 86_400_000;

describe('Retry-After', () => {
  test.each([
    ['seconds', '120', 120_000],
    ['zero', '0', 0],
    ['seconds among blanks', ' 7 ', 7_000],
    ['a date', 'Wed, 01 Jan 2025 12:00:30 GMT', 30_000],
    ['a date in the older spelling', 'Wednesday, 01-Jan-25 12:01:00 GMT', 60_000],
    ['a date that has passed', 'Wed, 01 Jan 2025 11:00:00 GMT', 0],
    ['more than a day', '90000', DAY_MS],
    ['the end of time', '9999999999', DAY_MS],
    ['more digits than anybody needs', '99999999999999999999', DAY_MS],
    ['a date in a far year', 'Fri, 01 Jan 2999 00:00:00 GMT', DAY_MS],
  ])('%s: %j', (_what, header, delayMs) => {
    expect(retryAfterMs(header, NOW)).toBe(delayMs);
  });

  // Taken for a moment in the past, any of these would mean "at once, and without spending an attempt".
  test.each([
    undefined,
    '',
    ' ',
    'soon',
    '-5',
    '+5',
    '1.5',
    '5s',
    'PT5S',
    '0x10',
    '1e3',
    'try again in 5',
    'retry 1',
    '1, 2',
    '12:00',
    'Wed',
    'NaN',
    'Infinity',
    '\u0000',
    '１２０',
  ])('says nothing usable: %j', (header) => {
    expect(retryAfterMs(header, NOW)).toBeUndefined();
  });
});
