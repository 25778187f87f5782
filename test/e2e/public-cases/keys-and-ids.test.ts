import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Installation } from '../../support/installation.js';
import { envelopeOf, PublicCase } from '../../support/public-case.js';
import type { NeutralEvent } from '../../support/public-case.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import { CASES_CONTRACT, KEYS, send } from './case-senders.js';

describe('public cases: keys and ids', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    crosswalk = await Installation.start({ contract: CASES_CONTRACT, roles: ['all'], redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  test('C02: the same id as a JSON number and as a string is one key and one mapping', async () => {
    const c02 = new PublicCase('C02');
    const a = await send(crosswalk.client(), 'shop-a', c02.body('a'));
    await crosswalk.idle();
    const b = await send(crosswalk.client(), 'shop-a', c02.body('b'));
    await crosswalk.idle();

    expect(a).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    expect(b).toMatchObject({ status: 200, body: { verdict: 'duplicate', event_id: a.body.event_id } });
    expect(b.body.internal_id).toBe(await crosswalk.client().internalId('shop-a', 'order', '450789469'));
    expect(await crosswalk.count(`FROM mappings WHERE system = 'shop-a'`)).toBe(1);
  });

  test('C08: an id of 255 characters works; two of 3000 are refused whole, and none is cut', async () => {
    const c08 = new PublicCase('C08');
    const short = c08.body('s');
    expect(await send(crosswalk.client(), 'erp-a', short)).toMatchObject({
      status: 200,
      body: { verdict: 'accepted' },
    });

    for (const body of [c08.body('a'), c08.body('b')]) {
      // A vendor's webhook is never answered with an error: it is kept as a dead letter that says what is wrong.
      const byWebhook = await send(crosswalk.client(), 'erp-a', body);
      expect(byWebhook).toMatchObject({ status: 200, body: { verdict: 'unmatched', reason_code: 'id.invalid' } });
      const envelope = envelopeOf(JSON.parse(body) as NeutralEvent);
      const byEvent = { ...envelope, idempotency_key: 'a short key' };
      expect(await crosswalk.client().sendEvent(JSON.stringify(byEvent), KEYS['erp-a'])).toMatchObject({
        status: 422,
        body: { code: 'id.invalid' },
      });
    }
    await crosswalk.idle();
    const mappings = await crosswalk.query(`SELECT external_id FROM mappings WHERE system = 'erp-a'`);
    const { id } = JSON.parse(short) as NeutralEvent;
    expect(mappings.filter(({ external_id }) => String(external_id).length > 100)).toEqual([{ external_id: id }]);
  });

  test('C45: ids with colons, slashes, blanks or only digits are each applied once and delivered', async () => {
    const bodies = new PublicCase('C45').bodies('t');
    await crosswalk.erp.reset();
    const first = await Promise.all(bodies.map((body) => send(crosswalk.client(), 'shop-a', body)));
    await crosswalk.idle();
    const second = await Promise.all(bodies.map((body) => send(crosswalk.client(), 'shop-a', body)));
    await crosswalk.idle();

    expect(first.map(({ body }) => body.verdict)).toEqual(bodies.map(() => 'accepted'));
    expect(second.map(({ body }) => body)).toEqual(
      first.map(({ body }) =>
        expect.objectContaining({ verdict: 'duplicate', outcome: 'applied', event_id: body.event_id }),
      ),
    );
    expect(new Set(second.map(({ body }) => body.internal_id)).size).toBe(10);
    const records = await crosswalk.erp.records('orders');
    expect(new Set(records.map(({ ref }) => ref))).toEqual(new Set(second.map(({ body }) => body.internal_id)));
    expect(records.map(({ writes }) => writes)).toEqual(bodies.map(() => 1));
    expect(crosswalk.output()).not.toMatch(/Custom Id cannot|"level":50/);
  });
});
