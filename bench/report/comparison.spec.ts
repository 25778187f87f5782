import { describe, expect, test } from '@jest/globals';
import { compare } from './comparison.js';

const EVENTS = { name: 'events/s', better: 'more' } as const;

describe('compare', () => {
  test('the ratio is of the medians, and its extremes are those of the rounds', () => {
    const { crosswalk, ratio } = compare({ ...EVENTS, crosswalk: [900, 1100], blogPost: [100, 100] });
    expect(crosswalk).toEqual({ median: 1000, min: 900, max: 1100 });
    expect(ratio).toEqual({ median: 10, min: 9, max: 11 });
  });

  test('the median of an odd number of rounds is the one in the middle', () => {
    const { crosswalk } = compare({ ...EVENTS, crosswalk: [3, 100, 1], blogPost: [1, 1, 1] });
    expect(crosswalk.median).toBe(3);
  });

  test.each([
    { crosswalk: 800, isReached: true },
    { crosswalk: 799, isReached: false },
  ])('a target of 8 is reached at $crosswalk against 100: $isReached', ({ crosswalk, isReached }) => {
    const { target } = compare({ ...EVENTS, crosswalk: [crosswalk], blogPost: [100], target: 8 });
    expect(target).toEqual({ ratio: 8, isReached });
  });

  test('without figures no target is reached', () => {
    const { target } = compare({ ...EVENTS, crosswalk: [], blogPost: [100], target: 8 });
    expect(target?.isReached).toBe(false);
  });
});
