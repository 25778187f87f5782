import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Installation } from '../../support/installation.js';
import { PublicCase } from '../../support/public-case.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import { CASES_CONTRACT, send } from './case-senders.js';

describe('public cases: references, with two processes that receive and work', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    const roles = ['all', 'all'] as const;
    crosswalk = await Installation.start({ contract: CASES_CONTRACT, roles, redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  test('C28: twenty orders at once that refer to one unknown customer share the one entity that is made for it', async () => {
    const c28 = new PublicCase('C28');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => send(crosswalk.client(i), 'shop-a', c28.body('t', { i: String(i) }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await crosswalk.idle();

    expect(await crosswalk.count(`FROM mappings WHERE entity_type = 'customer' AND external_id = '77'`)).toBe(1);
    expect(await crosswalk.count(`FROM entities WHERE entity_type = 'order'`)).toBe(20);
    const customer = await crosswalk.client().internalId('shop-a', 'customer', '77');
    for (let i = 0; i < 20; i++) {
      const order = await crosswalk.client().internalId('shop-a', 'order', `R${i}`);
      expect((await crosswalk.client().entity('order', order)).references).toEqual([
        { path: '/data/customer', entity_type: 'customer', internal_id: customer, source: 'shop-a' },
      ]);
    }
    expect(await crosswalk.count(`FROM work WHERE status = 'dead'`)).toBe(0);
    expect(await crosswalk.count(`FROM trace WHERE status = 'FAILED'`)).toBe(0);

    // Nobody has said anything about the customer yet, so no target has heard of it.
    expect(new Set((await crosswalk.erp.calls()).map(({ path }) => path.split('?')[0]))).toEqual(new Set(['/orders']));
    await expect(crosswalk.client().entity('customer', customer)).rejects.toThrow('entity.not_found');
  });
});
