import { expect, test } from '@jest/globals';
import { connectAgainAfterMs } from './connect-again-after-ms.js';

test('a Redis that stays away is tried less and less often, and at least twice a minute', () => {
  expect([1, 2, 3, 5, 6, 2_000].map(connectAgainAfterMs)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
});
