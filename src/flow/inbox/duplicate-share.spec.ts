import { describe, expect, test } from '@jest/globals';
import { DuplicateShare } from './duplicate-share.js';

function shareAfter(...stretches: readonly (readonly [events: number, copiesOfTen: number])[]): DuplicateShare {
  const share = new DuplicateShare();
  for (const [events, copiesOfTen] of stretches) {
    for (let at = 0; at < events; at++) share.add(at % 10 < copiesOfTen ? 'copy' : 'first');
  }
  return share;
}

describe('the share of copies', () => {
  test.each([
    { name: 'of nothing is not high', stretches: [], isHigh: false },
    { name: 'of a few events says nothing', stretches: [[60, 10]], isHigh: false },
    { name: 'of firsts alone is low', stretches: [[2_000, 0]], isHigh: false },
    { name: 'of one in five is not high yet', stretches: [[2_000, 2]], isHigh: false },
    { name: 'of one in two is high', stretches: [[2_000, 5]], isHigh: true },
    {
      name: 'stays high at one in five',
      stretches: [
        [2_000, 9],
        [2_000, 2],
      ],
      isHigh: true,
    },
    {
      name: 'is low again when hardly any come',
      stretches: [
        [2_000, 9],
        [2_000, 1],
      ],
      isHigh: false,
    },
    {
      name: 'is high soon after a long time without any',
      stretches: [
        [100_000, 0],
        [600, 9],
      ],
      isHigh: true,
    },
    {
      name: 'is low soon after a storm',
      stretches: [
        [100_000, 10],
        [1_500, 0],
      ],
      isHigh: false,
    },
  ] as const)('$name', ({ stretches, isHigh }) => {
    expect(shareAfter(...stretches).isHigh).toBe(isHigh);
  });
});
