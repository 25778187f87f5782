import { beforeEach, describe, expect, test } from '@jest/globals';
import { ParkedEvents } from '../../../src/flow/process-event/parked-events.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { stepsShop } from '../../support/steps-shop.js';

describe('transitions', () => {
  const shop = stepsShop();

  beforeEach(async () =>
    shop.query('TRUNCATE mappings, entities, records, deliveries, work, conflicts, idempotency_keys, events, trace'),
  );

  const step = (externalId: string, state: string, version = 1, more: Partial<ShopEvent> = {}): ShopEvent => ({
    eventType: 'order.stepped',
    externalId,
    state,
    version,
    key: `${externalId}:${state}:${version}`,
    payload: `{"last":"${state}"}`,
    ...more,
  });
  const moved = (externalId: string, state: string, more: Partial<ShopEvent> = {}): ShopEvent => ({
    eventType: 'parcel.moved',
    externalId,
    state,
    key: `${externalId}:${state}`,
    payload: '{}',
    ...more,
  });
  const revisionOf = async (externalId: string): Promise<bigint | undefined> => {
    const [row] = await shop.query<{ revision: bigint }>(
      'SELECT revision FROM entities JOIN mappings USING (internal_id) WHERE external_id = $1',
      [externalId],
    );
    return row?.revision;
  };

  test('lead along the graph, each with its event and order value in the path', async () => {
    await shop.process(step('A', 'PAID', 1), step('A', 'SHIPPED', 2));
    expect(await shop.pathOf('A')).toEqual(['CREATED', 'PAID', 'SHIPPED']);
    const [row] = await shop.query<{ path: string }>('SELECT path FROM entities');
    const ids = await shop.query<{ event_id: string }>('SELECT event_id FROM events ORDER BY event_id');
    expect(JSON.parse(row?.path ?? '')).toEqual([
      { state: 'CREATED' },
      { state: 'PAID', event_id: ids[0]?.event_id, order: '1' },
      { state: 'SHIPPED', event_id: ids[1]?.event_id, order: '2' },
    ]);
    expect(await revisionOf('A')).toBe(2n);
    expect(await shop.query('SELECT wanted_revision FROM deliveries')).toEqual([{ wanted_revision: 2n }]);
  });

  test('that come too early wait for the state before them, leave nothing behind, and go on in the right order', async () => {
    await shop.process(step('B', 'COMPLETED', 3), step('B', 'SHIPPED', 2));
    expect(await shop.query('SELECT waits_for, waits_states, retry_count FROM work ORDER BY key')).toEqual([
      { waits_for: ['mapping:crm:order:B'], waits_states: ['SHIPPED'], retry_count: 0 },
      { waits_for: ['mapping:crm:order:B'], waits_states: ['PAID'], retry_count: 0 },
    ]);
    for (const table of ['mappings', 'entities', 'records', 'deliveries']) {
      expect(await shop.query(`SELECT 1 FROM ${table}`)).toEqual([]);
    }
    await shop.process(step('B', 'PAID', 1));
    expect(await shop.pathOf('B')).toEqual(['CREATED', 'PAID', 'SHIPPED', 'COMPLETED']);
    expect(await shop.query('SELECT status FROM work WHERE kind = $1', ['event'])).toEqual([]);
    expect(await shop.query(`SELECT data FROM entities`)).toEqual([{ data: '{"last":"COMPLETED"}' }]);
  });

  test('that wait for a state of a known entity hold nothing else up, and name it', async () => {
    await shop.process(step('C', 'PAID', 1), step('C', 'COMPLETED', 3));
    const [entity] = await shop.query<{ internal_id: string }>('SELECT internal_id FROM entities');
    expect(await shop.query(`SELECT waits_for, waits_states FROM work WHERE status = 'waiting'`)).toEqual([
      { waits_for: [`state:${entity?.internal_id}`], waits_states: ['SHIPPED'] },
    ]);
    expect(await revisionOf('C')).toBe(1n);
    await shop.process({
      eventType: 'order.updated',
      externalId: 'C',
      version: 9,
      payload: '{"lines":[],"sum":"1.00"}',
    });
    expect(await revisionOf('C')).toBe(2n);
    await shop.process(step('C', 'SHIPPED', 2));
    expect(await shop.pathOf('C')).toEqual(['CREATED', 'PAID', 'SHIPPED', 'COMPLETED']);
  });

  test('that wait on for the same state while others pass are told of once', async () => {
    await shop.process(step('W', 'COMPLETED', 9));
    await shop.process(step('W', 'PAID', 1));
    await shop.process(step('W', 'PAID', 2), step('W', 'PAID', 0));
    const told = (): Promise<{ status: string }[]> =>
      shop.query(
        `SELECT trace.status FROM trace JOIN events USING (event_id) WHERE events.state = 'COMPLETED' ORDER BY trace.at`,
      );
    expect((await told()).map(({ status }) => status)).toEqual(['PARKED', 'PARKED']);
    await shop.process(step('W', 'SHIPPED', 3));
    expect((await told()).map(({ status }) => status)).toEqual(['PARKED', 'PARKED', 'COMPLETED']);
  });

  test('of states that were passed are stale, and repeat nothing', async () => {
    await shop.process(moved('D', 'SENT'), moved('D', 'ARRIVED'));
    await shop.process(moved('D', 'SENT', { key: 'again' }));
    expect(await shop.standing('again')).toEqual({ status: null, outcome: 'stale', code: 'state.passed' });
    expect(await shop.pathOf('D')).toEqual(['PACKED', 'SENT', 'ARRIVED']);
    expect(await revisionOf('D')).toBe(2n);
  });

  test('without a way in the graph are refused and change nothing at all', async () => {
    await shop.process(step('E', 'CANCELLED', 1));
    await shop.process({
      eventType: 'order.shipped',
      externalId: 'E',
      version: 2,
      key: 'refused',
      payload: '{"product":"P-new","last":"SHIPPED"}',
      links: [{ system: 'erp', externalId: 'E-new' }],
    });
    expect(await shop.standing('refused')).toEqual({ status: null, outcome: 'refused', code: 'transition.refused' });
    expect(await shop.pathOf('E')).toEqual(['CREATED', 'CANCELLED']);
    expect(await revisionOf('E')).toBe(1n);
    expect(await shop.query('SELECT external_id FROM mappings')).toEqual([{ external_id: 'E' }]);
    const [{ detail } = { detail: '' }] = await shop.query<{ detail: string }>(
      `SELECT detail FROM trace WHERE outcome = 'refused'`,
    );
    expect(detail).toContain('no way leads from CANCELLED to SHIPPED');
  });

  test('that wait leave neither links nor references behind, and make them once they go on', async () => {
    await shop.process(step('F', 'CANCELLED', 1, { externalId: 'other' }), step('F', 'PAID', 1));
    await shop.query('DELETE FROM deliveries');
    const early: ShopEvent = {
      eventType: 'order.shipped',
      externalId: 'WMS-F',
      source: 'erp',
      version: 2,
      key: 'early',
      payload: '{"product":"P-late"}',
      links: [{ system: 'crm', externalId: 'F-unpaid' }],
    };
    await shop.process({ eventType: 'order.updated', externalId: 'F-unpaid', payload: '{"lines":[]}' });
    const known = await shop.query('SELECT system, external_id FROM mappings ORDER BY 1, 2');
    await shop.process(early);
    expect(await shop.query('SELECT system, external_id FROM mappings ORDER BY 1, 2')).toEqual(known);
    const [unpaid] = await shop.query<{ internal_id: string }>(
      `SELECT internal_id FROM mappings WHERE external_id = 'F-unpaid'`,
    );
    expect(await shop.query(`SELECT waits_for FROM work WHERE status = 'waiting'`)).toEqual([
      { waits_for: [`state:${unpaid?.internal_id}`] },
    ]);
    await shop.process(step('F-unpaid', 'PAID', 1));
    expect(await shop.standing('early')).toMatchObject({ outcome: 'applied' });
    expect(await shop.query(`SELECT internal_id FROM mappings WHERE external_id IN ('WMS-F', 'F-unpaid')`)).toEqual([
      unpaid,
      unpaid,
    ]);
    expect(await shop.query(`SELECT 1 FROM mappings WHERE external_id = 'P-late'`)).toHaveLength(1);
  });

  test('of an entity that nobody knows by any of its ids wait for all of them, and go on with the first', async () => {
    await shop.process({
      eventType: 'order.shipped',
      externalId: 'WMS-U',
      source: 'erp',
      version: 2,
      key: 'unknown',
      payload: '{}',
      links: [{ system: 'crm', externalId: 'U' }],
    });
    expect(await shop.query('SELECT waits_for FROM work')).toEqual([
      { waits_for: ['mapping:erp:order:WMS-U', 'mapping:crm:order:U'] },
    ]);
    await shop.process(step('U', 'PAID', 1));
    expect(await shop.standing('unknown')).toMatchObject({ outcome: 'applied' });
    expect(await shop.pathOf('U')).toEqual(['CREATED', 'PAID', 'SHIPPED']);
    expect(await shop.query('SELECT 1 FROM entities')).toHaveLength(1);
  });

  test('are judged apart from the data: old data may still move the state, and new data an old state', async () => {
    const replaced = (state: string, version: number): ShopEvent => ({
      ...step('G', state, version),
      eventType: 'order.replaced',
      payload: `{"sum":${version}}`,
    });
    await shop.process({ eventType: 'order.updated', externalId: 'G', version: 8, payload: '{"lines":[],"sum":8}' });
    await shop.process(replaced('PAID', 5));
    expect(await shop.pathOf('G')).toEqual(['CREATED', 'PAID']);
    expect(await shop.query('SELECT data FROM entities')).toEqual([{ data: '{"lines":[],"sum":8}' }]);
    expect(await revisionOf('G')).toBe(2n);
    await shop.process(replaced('SHIPPED', 9), { ...replaced('PAID', 10), key: 'late state' });
    expect(await shop.pathOf('G')).toEqual(['CREATED', 'PAID', 'SHIPPED']);
    expect(await shop.query('SELECT data FROM entities')).toEqual([{ data: '{"sum":10}' }]);
  });

  test('the state that is expected decides', async () => {
    await shop.process(moved('H', 'SENT', { expectedState: 'PACKED' }));
    await shop.process(moved('H', 'LOST', { expectedState: 'PACKED', key: 'too late' }));
    expect(await shop.standing('too late')).toEqual({ status: null, outcome: 'stale', code: 'state.passed' });
    expect(await shop.pathOf('H')).toEqual(['PACKED', 'SENT']);
  });

  test('to and fro are told apart by their order values, in every order of arrival', async () => {
    const walk = ['HELD', 'OPEN', 'HELD', 'OPEN', 'CLOSED'];
    const orders = [
      [0, 1, 2, 3, 4],
      [4, 3, 2, 1, 0],
      [2, 0, 4, 1, 3],
      [3, 4, 0, 2, 1],
    ];
    for (const [run, order] of orders.entries()) {
      const externalId = `T-${run}`;
      for (const at of order) {
        const state = walk[at] ?? '';
        await shop.process({
          eventType: 'ticket.moved',
          externalId,
          state,
          version: at + 1,
          key: `${externalId}:${at}`,
          payload: '{}',
        });
      }
      expect(await shop.pathOf(externalId)).toEqual(['OPEN', ...walk]);
    }
    expect(await shop.query('SELECT status FROM work')).toEqual([]);
  });

  test('of two that exclude each other exactly one moves, whichever process comes first', async () => {
    for (let round = 0; round < 20; round++) {
      const externalId = `X-${round}`;
      await shop.remember(moved(externalId, 'SENT'));
      const first = shop.run(shop.first);
      await shop.remember(moved(externalId, 'LOST'));
      await Promise.all([first, shop.run(shop.second)]);
      await shop.run();
      const path = await shop.pathOf(externalId);
      expect([
        ['PACKED', 'SENT'],
        ['PACKED', 'LOST'],
      ]).toContainEqual(path);
      const ends = [await shop.standing(`${externalId}:SENT`), await shop.standing(`${externalId}:LOST`)];
      expect(ends.map(({ outcome }) => outcome).sort()).toEqual(['applied', 'refused']);
    }
  });

  test('are never lost between the one who parks and the one who lands, sixty times', async () => {
    for (let round = 0; round < 60; round++) {
      const externalId = `L-${round}`;
      await shop.process({ eventType: 'order.updated', externalId, payload: '{"lines":[]}' });
      await shop.remember(step(externalId, 'SHIPPED', 2));
      const parking = shop.run(shop.first);
      await shop.remember(step(externalId, 'PAID', 1));
      await Promise.all([parking, shop.run(shop.second)]);
      await shop.run();
      expect(await shop.pathOf(externalId)).toEqual(['CREATED', 'PAID', 'SHIPPED']);
    }
  });

  test('a wake-up that was lost is made up for by the sweep', async () => {
    await shop.process(step('S', 'PAID', 1), step('S', 'COMPLETED', 3));
    await shop.query(`UPDATE work SET waits_for = ARRAY[waits_for[1] || 'lost'] WHERE status = 'waiting'`);
    await shop.process(step('S', 'SHIPPED', 2));
    await shop.query(`UPDATE work SET waits_for = ARRAY[replace(waits_for[1], 'lost', '')] WHERE status = 'waiting'`);
    expect(await shop.pathOf('S')).toEqual(['CREATED', 'PAID', 'SHIPPED']);
    expect(await shop.first.get(ParkedEvents).sweep()).toBe(1);
    await shop.run();
    expect(await shop.pathOf('S')).toEqual(['CREATED', 'PAID', 'SHIPPED', 'COMPLETED']);
  });

  test('an entity that others had named before its first record is made by one of two at once, and both count', async () => {
    for (let round = 0; round < 20; round++) {
      const externalId = `P-${round}`;
      await shop.process({
        eventType: 'order.priced',
        externalId: `O-${round}`,
        key: `p-${round}`,
        payload: `{"product":"${externalId}"}`,
      });
      const said = { eventType: 'product.updated', externalId, system: 'crm' };
      await shop.remember({ ...said, key: `a-${round}`, payload: '{"a":1}' });
      const first = shop.run(shop.first);
      await shop.remember({ ...said, source: 'erp', key: `b-${round}`, payload: '{"b":1}' });
      await Promise.all([first, shop.run(shop.second)]);
      await shop.run();
      expect(await revisionOf(externalId)).toBe(2n);
    }
  });

  test('a new entity of a type with states is in the initial one', async () => {
    await shop.process({ eventType: 'order.updated', externalId: 'N', payload: '{"lines":[]}' });
    expect(await shop.pathOf('N')).toEqual(['CREATED']);
  });
});
