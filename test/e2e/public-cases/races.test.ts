import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/crosswalk-client.js';
import { Installation } from '../../support/installation.js';
import { envelopeOf, PublicCase } from '../../support/public-case.js';
import { sharedRedisUrl } from '../../support/shared-redis.js';
import { CASES_CONTRACT, KEYS, send } from './case-senders.js';

describe('public cases: two API processes and a worker', () => {
  let crosswalk: Installation;

  beforeAll(async () => {
    const roles = ['api', 'api', 'worker'] as const;
    crosswalk = await Installation.start({ contract: CASES_CONTRACT, roles, redisUrl: sharedRedisUrl() });
  });

  afterAll(() => crosswalk.stop());

  beforeEach(() => crosswalk.erp.reset());

  /** One accepted, all others duplicates of it. Returns the event id. */
  function expectOneAccepted(answers: readonly Answer[]): string {
    const accepted = answers.filter(({ body }) => body.verdict === 'accepted');
    expect(accepted).toHaveLength(1);
    const eventId = accepted[0]?.body.event_id ?? '';
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const others = answers.filter(({ body }) => body.verdict !== 'accepted');
    for (const { body } of others) expect(body).toMatchObject({ verdict: 'duplicate', event_id: eventId });
    return eventId;
  }

  test('fifty copies of one event at once are one event, one effect and one downstream write', async () => {
    const body = '{"entity":"order","id":"at-once","event":"order.paid","version":2,"data":{"total":"10.00"}}';
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, copy) => send(crosswalk.client(copy), 'shop-a', body)),
    );
    const eventId = expectOneAccepted(answers);
    await crosswalk.idle();

    expect(await crosswalk.count(`FROM events WHERE external_id = 'at-once'`)).toBe(1);
    expect(await crosswalk.count(`FROM trace WHERE event_id = $1 AND status = 'COMPLETED'`, [eventId])).toBe(1);
    expect(await crosswalk.count(`FROM trace WHERE event_id = $1 AND status = 'DELIVERED'`, [eventId])).toBe(1);
    expect((await crosswalk.erp.calls()).map(({ method, status }) => [method, status])).toEqual([['POST', 201]]);
  });

  test('C09: fifty copies of one paid event, five ms apart, are one entity, one mapping and one create', async () => {
    const c09 = new PublicCase('C09');
    await crosswalk.erp.scriptFaults([{ kind: 'delay', ms: 200, method: 'POST', times: '*' }]);
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, copy) => {
        await delay(5 * copy);
        return send(crosswalk.client(copy), 'shop-a', c09.body('p'));
      }),
    );
    const eventId = expectOneAccepted(answers);
    await crosswalk.idle();
    const late = await send(crosswalk.client(), 'shop-a', c09.body('z'));
    await crosswalk.idle();

    expect(late.body).toMatchObject({ verdict: 'duplicate', event_id: eventId, outcome: 'applied' });
    const internalId = await crosswalk.client().internalId('shop-a', 'order', '1001');
    expect(late.body.internal_id).toBe(internalId);
    expect(await crosswalk.count('FROM records WHERE external_id = $1', ['1001'])).toBe(1);
    expect(await crosswalk.count('FROM mappings WHERE external_id = $1', ['1001'])).toBe(1);
    const { revision, deliveries } = await crosswalk.client().entity('order', internalId);
    expect({ revision, deliveries }).toMatchObject({ revision: 1, deliveries: [{ status: 'delivered', attempts: 1 }] });
    expect((await crosswalk.erp.calls()).map(({ method }) => method)).toEqual(['POST']);
  });

  test('C13: the same key with other content is a listed conflict, and the first content stays', async () => {
    const c13 = new PublicCase('C13');
    const a = await send(crosswalk.client(0), 'shop-a', c13.body('a'));
    await crosswalk.idle();
    const b = await send(crosswalk.client(1), 'shop-a', c13.body('b'));
    await crosswalk.idle();
    const racing = await Promise.all([
      send(crosswalk.client(0), 'shop-a', c13.body('c')),
      send(crosswalk.client(1), 'shop-a', c13.body('d')),
    ]);
    await crosswalk.idle();

    expect(b).toMatchObject({ status: 200, body: { verdict: 'conflict', event_id: a.body.event_id } });
    expect(racing.map(({ body }) => body.verdict).sort()).toEqual(['accepted', 'conflict']);
    const conflicts = await crosswalk.client().conflicts('key');
    expect(conflicts.map(({ external_id }) => external_id).sort()).toEqual(['5001', '5002']);
    const internalId = await crosswalk.client().internalId('shop-a', 'order', '5001');
    expect((await crosswalk.client().entity('order', internalId)).data).toEqual({ total: '100.00' });
    const applied = `FROM trace JOIN events USING (event_id) WHERE events.external_id = '5002' AND outcome = 'applied'`;
    expect(await crosswalk.count(applied)).toBe(1);

    // The envelope's door has an error for it, and a further copy of the second content is no further conflict.
    const envelope = JSON.stringify(envelopeOf(JSON.parse(c13.body('b')) as Parameters<typeof envelopeOf>[0]));
    const byEvent = await crosswalk.client().sendEvent(envelope, KEYS['shop-a']);
    await crosswalk.idle();
    const { event_id: first, conflict_event_id: second } = b.body;
    expect(byEvent).toMatchObject({ status: 422, body: { event_id: first, conflict_event_id: second } });
    expect(await crosswalk.client().conflicts('key')).toHaveLength(2);
  });

  test('C15: a late, older update does not undo a newer one, nor does it reach the target', async () => {
    const c15 = new PublicCase('C15');
    await send(crosswalk.client(0), 'pay-a', c15.body('b'));
    await crosswalk.idle();
    const late = await send(crosswalk.client(1), 'pay-a', c15.body('a'));
    await crosswalk.idle();

    expect(late).toMatchObject({ status: 200, body: { verdict: 'accepted' } });
    const event = await crosswalk.client().event(late.body.event_id ?? '');
    expect(event).toMatchObject({ status: 'COMPLETED', outcome: 'stale', reason_code: 'version.stale' });
    expect((await crosswalk.client().entity('account', event.internal_id ?? '')).data).toEqual({ status: 'verified' });
    expect((await crosswalk.erp.calls()).map(({ method }) => method)).toEqual(['POST']);
  });

  test('C15: of twenty pairs sent in parallel the newer one wins every time', async () => {
    const c15 = new PublicCase('C15');
    const refs: string[] = [];
    for (let i = 0; i < 20; i++) {
      const place = { i: String(i) };
      await Promise.all([
        send(crosswalk.client(i), 'pay-a', c15.body('x', place)),
        send(crosswalk.client(i + 1), 'pay-a', c15.body('y', place)),
      ]);
      await crosswalk.idle();
      refs.push(await crosswalk.client().internalId('pay-a', 'account', `L${i}`));
      expect((await crosswalk.client().entity('account', refs.at(-1) ?? '')).data).toEqual({ status: 'verified' });
    }
    const records = await crosswalk.erp.records('customers');
    expect(records.map(({ raw }) => JSON.parse(raw) as unknown)).toEqual(
      refs.map((ref) => ({ ref, status: 'verified' })),
    );
  });

  test('C54: twenty rounds of two batches in opposite order end without a 5xx and with the newest versions', async () => {
    const c54 = new PublicCase('C54');
    for (let r = 0; r < 20; r++) {
      const place = { r: String(r) };
      const answers = await Promise.all([
        crosswalk.client(0).sendBatch(c54.items('x', place).map(envelopeOf), KEYS['erp-a']),
        crosswalk.client(1).sendBatch(c54.items('y', place).map(envelopeOf), KEYS['erp-a']),
      ]);
      const results = answers.flatMap(({ body }) => body.results);
      expect(results.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 100 }, () => 'accepted'));
      await crosswalk.idle();
    }
    const held = await crosswalk.query<{ order_value: string; data: string }>(
      `SELECT order_value, data FROM records WHERE entity_type = 'stock' AND external_id LIKE 'SK%'`,
    );
    expect(held).toHaveLength(50);
    for (const { order_value, data } of held) expect([order_value, data]).toEqual(['192', '{"q":2}']);
    expect(await crosswalk.count(`FROM work WHERE status = 'dead'`)).toBe(0);
    const ends = `FROM trace JOIN events USING (event_id) WHERE trace.status = 'COMPLETED' AND events.external_id LIKE 'SK%'`;
    expect(await crosswalk.count(ends)).toBe(2_000);
  });

  test('C56: every answer about a known record carries its own id, and batch answers line up with their items', async () => {
    const c56 = new PublicCase('C56');
    const a = await send(crosswalk.client(0), 'erp-a', c56.body('a'));
    await crosswalk.idle();
    const b = await send(crosswalk.client(1), 'erp-a', c56.body('b'));
    const c = await Promise.all(
      Array.from({ length: 10 }, (_, copy) => send(crosswalk.client(copy), 'erp-a', c56.body('c'))),
    );
    const x = await crosswalk.client().sendBatch(c56.items('x').map(envelopeOf), KEYS['erp-a']);
    await crosswalk.idle();

    const n1 = await crosswalk.client().internalId('erp-a', 'stock', 'N1');
    const { results } = x.body;
    for (const { body } of [b, ...c]) {
      expect(body).toMatchObject({ verdict: 'duplicate', event_id: a.body.event_id, internal_id: n1 });
    }
    expect(results.map(({ verdict }) => verdict)).toEqual([
      'accepted',
      'duplicate',
      'accepted',
      'accepted',
      'accepted',
    ]);
    expect(results[1]).toMatchObject({ index: 1, event_id: a.body.event_id, internal_id: n1 });

    const resolved = await Promise.all(results.map(({ event_id }) => crosswalk.client().event(event_id ?? '')));
    const expected = await Promise.all(
      ['N2', 'N1', 'N3', 'N1', 'N4'].map((id) => crosswalk.client().internalId('erp-a', 'stock', id)),
    );
    expect(resolved.map(({ internal_id }) => internal_id)).toEqual(expected);
    expect(new Set(expected).size).toBe(4);
  });
});
