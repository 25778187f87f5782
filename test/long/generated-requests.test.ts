import { describe, expect, test } from '@jest/globals';
import { serveShop } from '../contract/shop-api.js';
import { memoryGrowth } from '../support/door-trial.js';
import { DOOR, expectDoorToStand } from '../support/expect-door-to-stand.js';

/** Another one for each run, so that runs add up; what fails is repeated with the seed that it prints. */
const SEED = Number(process.env['GENERATED_REQUESTS_SEED'] ?? Date.now() % 1_000_000);
const REQUESTS = Number(process.env['GENERATED_REQUESTS'] ?? 100_000);
/** Above what a garbage collector does by itself; a leak of a kilobyte for each request would be far beyond it. */
const MEMORY_GROWTH_MAX = 1.3;

describe('the door under many generated requests', () => {
  const shop = serveShop(DOOR);

  test(
    'each is answered in order, each 2xx is an event, and the memory stays as it is',
    async () => {
      const { memoryMiB } = await expectDoorToStand(shop, { requests: REQUESTS, seed: SEED });
      expect(memoryGrowth(memoryMiB)).toBeLessThan(MEMORY_GROWTH_MAX);
    },
    30 * 60_000,
  );
});
