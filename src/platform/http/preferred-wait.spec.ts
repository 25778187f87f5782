import { describe, expect, test } from '@jest/globals';
import { preferredWaitSeconds } from './preferred-wait.js';

describe('preferredWaitSeconds', () => {
  test.each<[string, number]>([
    ['wait=5', 5],
    ['WAIT = 5 ', 5],
    ['wait="5"', 5],
    ['respond-async, wait=10', 10],
    ['respond-async;a="x,wait=3",wait=10;strict', 10],
    ['wait=2, wait=9', 2],
    ['wait=007', 7],
    ['wait=31', 30],
    [`wait=${'9'.repeat(1_000)}`, 30],
    [', ,wait=4', 4],
  ])('%s asks for %d seconds', (prefer, seconds) => {
    expect(preferredWaitSeconds({ headers: { prefer } })).toBe(seconds);
  });

  test.each([
    '',
    'wait',
    'wait=',
    'wait=0',
    'wait=-5',
    'wait=5.5',
    'wait=5s',
    'wait=5 6',
    'wait="5',
    "wait='5'",
    'wait=abc, wait=5',
    'wait, wait=5',
    'await=5',
    'wait-for=5',
    'return="wait=5"',
    'return="a, wait=5"',
    '"'.repeat(8_000),
    '\\"'.repeat(8_000),
    ' '.repeat(16_000),
  ])('%p asks for nothing', (prefer) => {
    expect(preferredWaitSeconds({ headers: { prefer } })).toBeUndefined();
  });

  test('nobody who says nothing waits', () => {
    expect(preferredWaitSeconds({ headers: {} })).toBeUndefined();
  });

  test('of several headers the first preference counts', () => {
    expect(preferredWaitSeconds({ headers: { prefer: ['return=minimal', 'wait=3', 'wait=4'] } })).toBe(3);
  });
});
