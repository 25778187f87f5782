import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { Installation } from '../../support/installation.js';
import { PublicCase } from '../../support/public-case.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import type { Answer } from '../../support/crosswalk-client.js';
import { send } from './case-senders.js';

describe('public cases: states and waiting, with two processes that receive and work', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    const contract = 'test/e2e/public-cases/waits.crosswalk.yaml';
    crosswalk = await Installation.start({ contract, roles: ['all', 'all'], redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  const eventIdOf = ({ body }: Answer): string => body.event_id ?? '';

  test('C21: a late failure cannot pull back a payment that moved on', async () => {
    const c21 = new PublicCase('C21');
    const eventIds: string[] = [];
    for (const [at, step] of ['a', 'b', 'c'].entries()) {
      const answer = await send(crosswalk.client(at), 'pay-a', c21.body(step));
      expect([200, 202]).toContain(answer.status);
      eventIds.push(eventIdOf(answer));
      await crosswalk.idle();
    }
    const late = await crosswalk.client().why(eventIds[2] ?? '');
    expect(late).toMatchObject({
      status: 'COMPLETED',
      outcome: 'stale',
      reason_code: 'state.passed',
      why: expect.stringContaining('processing'),
    });
    const payment = await crosswalk.client().internalId('pay-a', 'payment', 'P1');
    expect(await crosswalk.client().entity('payment', payment)).toMatchObject({
      state: 'processing',
      path: [
        { state: 'pending' },
        { state: 'paid', event_id: eventIds[0] },
        { state: 'processing', event_id: eventIds[1] },
      ],
    });
  });

  test('C32: an order whose product is not known waits for it by name, and then goes through by itself', async () => {
    const c32 = new PublicCase('C32');
    const eventId = eventIdOf(await send(crosswalk.client(0), 'shop-a', c32.body('o')));
    await eventually(async () => {
      expect(await crosswalk.client(1).event(eventId)).toMatchObject({
        status: 'PARKED',
        reason_code: 'reference.missing',
        waits_for: [{ kind: 'mapping', system: 'shop-a', entity_type: 'product', external_id: 'P-1' }],
      });
    });
    expect(await crosswalk.query('SELECT retry_count FROM work')).toEqual([{ retry_count: 0 }]);
    expect(await crosswalk.erp.calls()).toEqual([]);

    await send(crosswalk.client(1), 'shop-a', c32.body('p'));
    await crosswalk.idle();
    expect(await crosswalk.client().event(eventId)).toMatchObject({ status: 'COMPLETED', outcome: 'applied' });
    const creates = (await crosswalk.erp.calls()).filter(({ method }) => method === 'POST');
    expect(creates.map(({ path }) => path)).toEqual(['/orders']);
    expect(await crosswalk.count(`FROM work WHERE status = 'dead'`)).toBe(0);
  });
});
