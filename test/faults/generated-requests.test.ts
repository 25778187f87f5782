import { describe, expect, test } from '@jest/globals';
import { serveShop } from '../contract/shop-api.js';
import { DOOR, expectDoorToStand } from '../support/expect-door-to-stand.js';

const SEED = Number(process.env['GENERATED_REQUESTS_SEED'] ?? 1);

describe('the door under generated requests', () => {
  const shop = serveShop(DOOR);

  test('1,500 of them, valid, mutated and hostile: each is answered in order, and each 2xx is an event', async () => {
    const { answers } = await expectDoorToStand(shop, { requests: 1_500, seed: SEED });
    expect(answers['202 accepted']).toBeGreaterThan(50);
  });
});
