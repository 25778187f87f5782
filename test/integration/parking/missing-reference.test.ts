import { beforeEach, describe, expect, test } from '@jest/globals';
import { LinkService } from '../../../src/flow/id-map/link.service.js';
import { PendingCreateService } from '../../../src/flow/id-map/pending-create.service.js';
import { ParkedEvents } from '../../../src/flow/process-event/parked-events.js';
import type { Contract, EventType } from '../../../src/domain/contract/contract.js';
import { newInternalId } from '../../../src/domain/ids.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { stepsShop } from '../../support/steps-shop.js';
import { wireServices } from '../../support/wired-services.js';

/** The same, but nothing waits for what it refers to. */
function contractThatCreates(contract: Contract): Contract {
  const eventTypes = [...contract.eventTypes].map(([name, type]): [string, EventType] => {
    return [name, { ...type, references: type.references.map((rule) => ({ ...rule, missing: 'create' })) }];
  });
  return { ...contract, eventTypes: new Map(eventTypes) };
}

describe('an event that refers to something that nobody knows yet', () => {
  const shop = stepsShop();

  beforeEach(async () =>
    shop.query('TRUNCATE mappings, entities, records, deliveries, work, conflicts, idempotency_keys, events, trace'),
  );

  const order = (externalId: string, ...products: readonly string[]): ShopEvent => ({
    eventType: 'order.updated',
    externalId,
    payload: JSON.stringify({ lines: products.map((product) => ({ product })) }),
  });
  const product = (externalId: string): ShopEvent => ({ eventType: 'product.updated', externalId });

  test('waits for it by name, leaves nothing behind, and goes on with it', async () => {
    await shop.process(order('O-1', 'P-1'));
    expect(await shop.standing('order:O-1:v1')).toEqual({
      status: 'waiting',
      outcome: null,
      code: 'reference.missing',
    });
    const [work] = await shop.query<Record<string, unknown>>(
      `SELECT waits_for, retry_count, claims, reject_detail, wait_until > now() + interval '50 minutes' AS has_time FROM work`,
    );
    expect(work).toEqual({
      waits_for: ['mapping:crm:product:P-1'],
      retry_count: 0,
      claims: 0,
      reject_detail: 'It refers at `/lines/0/product` to product `P-1` of crm, which nobody knows yet.',
      has_time: true,
    });
    expect(await shop.query('SELECT 1 FROM mappings')).toEqual([]);

    await shop.process(product('P-1'));
    expect(await shop.standing('order:O-1:v1')).toEqual({ status: null, outcome: 'applied', code: null });
    const trace = await shop.query<{ status: string; attempt: number }>(
      `SELECT trace.status, trace.attempt FROM trace JOIN events USING (event_id)
        WHERE events.event_type = 'order.updated' ORDER BY trace.at`,
    );
    expect(trace).toEqual([
      { status: 'PARKED', attempt: 1 },
      { status: 'COMPLETED', attempt: 1 },
    ]);
  });

  test('waits for one thing after the other, and its time runs from the first', async () => {
    await shop.process(order('O-2', 'P-1', 'P-2'));
    const until = (): Promise<{ until: string }[]> => shop.query(`SELECT wait_until AS until FROM work`);
    const [first] = await until();
    await shop.process(product('P-1'));
    expect(await shop.query('SELECT waits_for FROM work WHERE status = $1', ['waiting'])).toEqual([
      { waits_for: ['mapping:crm:product:P-2'] },
    ]);
    expect(await shop.query(`SELECT wait_until AS until FROM work WHERE status = 'waiting'`)).toEqual([first]);
    await shop.process(product('P-2'));
    expect(await shop.standing('order:O-2:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('is found by what comes in the same batch, before or behind it', async () => {
    await shop.process(order('O-3', 'P-3'), product('P-3'), order('O-4', 'P-3'));
    expect(await shop.standing('order:O-3:v1')).toMatchObject({ outcome: 'applied' });
    expect(await shop.standing('order:O-4:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('does not wait for itself', async () => {
    await shop.process({ eventType: 'order.updated', externalId: 'O-5', payload: '{"lines":[],"parent":"O-5"}' });
    expect(await shop.standing('order:O-5:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('goes on when another event makes the id known, though not its record', async () => {
    await shop.process(order('O-6', 'P-6'));
    await shop.process({ eventType: 'order.priced', externalId: 'O-7', key: 'priced', payload: '{"product":"P-6"}' });
    expect(await shop.standing('order:O-6:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('goes on when somebody links the id', async () => {
    await shop.process(product('P-8'), order('O-8', 'P-9'));
    expect(await shop.standing('order:O-8:v1')).toMatchObject({ status: 'waiting' });
    const [known] = await shop.query<{ internal_id: string }>(`SELECT internal_id FROM mappings`);
    await shop.second.get(LinkService).link({
      system: 'erp',
      entityType: 'product',
      externalId: 'E-8',
      rawExternalId: 'E-8',
      internalId: known?.internal_id as never,
    });
    await shop.query(`UPDATE work SET waits_for = '{mapping:crm:product:P-X}' WHERE status = 'waiting'`);
    const internalId = newInternalId(0);
    const link = { system: 'crm', entityType: 'product', externalId: 'P-X', rawExternalId: 'P-X', internalId };
    expect(await shop.second.get(LinkService).link(link)).toEqual({ kind: 'new' });
    expect(await shop.query(`SELECT status FROM work WHERE kind = 'event'`)).toEqual([{ status: 'due' }]);
  });

  test('goes on when the id arrives that a create of ours waited for', async () => {
    const place = { internalId: newInternalId(0), entityType: 'product', system: 'erp' };
    const creates = shop.first.get(PendingCreateService);
    await creates.reserve(place);
    await shop.process({ ...order('EO-1', 'E-77'), source: 'erp' });
    expect(await shop.query(`SELECT waits_for FROM work`)).toEqual([{ waits_for: ['mapping:erp:product:E-77'] }]);
    await creates.link(place, { externalId: 'E-77', rawExternalId: 'E-77' });
    await shop.run();
    expect(await shop.standing('order:EO-1:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('a wake-up that was lost is made up for by the sweep', async () => {
    await shop.process(order('O-10', 'P-10'));
    // As if whoever made the id known had told nobody.
    await shop.query(`UPDATE work SET waits_for = '{lost}' WHERE status = 'waiting'`);
    await shop.process(product('P-10'));
    await shop.query(`UPDATE work SET waits_for = '{mapping:crm:product:P-10}' WHERE status = 'waiting'`);
    expect(await shop.standing('order:O-10:v1')).toMatchObject({ status: 'waiting' });
    expect(await shop.second.get(ParkedEvents).sweep()).toBe(1);
    await shop.run(shop.second);
    expect(await shop.standing('order:O-10:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('is judged anew by a contract that lets it go on, or that waits for something else', async () => {
    await shop.process(order('O-20', 'P-20'));
    const mended = await wireServices(contractThatCreates(shop.contract), shop.databaseUrl, 2);
    try {
      // By the same contract there is nothing new.
      expect(await shop.second.get(ParkedEvents).sweep()).toBe(0);
      expect(await mended.get(ParkedEvents).sweep()).toBe(1);
      await shop.run(mended);
      expect(await shop.standing('order:O-20:v1')).toMatchObject({ outcome: 'applied' });
    } finally {
      await mended.close();
    }
  });

  test('is one of a batch that names more than can be locked at once: it is divided, and no attempt is spent', async () => {
    const many = (at: number): readonly string[] => Array.from({ length: 400 }, (_, n) => `P-${at}-${n}`);
    await shop.process(...[1, 2, 3, 4].map((at) => order(`O-many-${at}`, ...many(at))));
    expect(await shop.query(`SELECT status, retry_count, count(*)::int FROM work GROUP BY 1, 2`)).toEqual([
      { status: 'waiting', retry_count: 0, count: 4 },
    ]);
    expect(await shop.query(`SELECT DISTINCT status FROM trace`)).toEqual([{ status: 'PARKED' }]);
  });

  test('becomes a dead letter with its reason when its time is over', async () => {
    await shop.process(order('O-11', 'P-11'));
    await shop.query(`UPDATE work SET wait_until = now() - interval '1 second'`);
    await shop.first.get(ParkedEvents).sweep();
    expect(await shop.query('SELECT status, reject_reason, reject_detail, waits_for, wait_until FROM work')).toEqual([
      {
        status: 'dead',
        reject_reason: 'park.expired',
        reject_detail:
          'It waited in vain. It refers at `/lines/0/product` to product `P-11` of crm, which nobody knows yet.',
        waits_for: null,
        wait_until: null,
      },
    ]);
    expect(await shop.query(`SELECT status, code FROM trace ORDER BY at`)).toEqual([
      { status: 'PARKED', code: 'reference.missing' },
      { status: 'DEAD', code: 'park.expired' },
    ]);
  });

  test('is not given up where what it waits for has happened after all', async () => {
    await shop.process(order('O-12', 'P-12'));
    await shop.query(`UPDATE work SET waits_for = '{lost}' WHERE status = 'waiting'`);
    await shop.process(product('P-12'));
    await shop.query(
      `UPDATE work SET waits_for = '{mapping:crm:product:P-12}', wait_until = now() - interval '1 second'
        WHERE status = 'waiting'`,
    );
    // The sweep looks at so many others before it that the deadline finds it first.
    await shop.query(
      `INSERT INTO work (kind, key, topic, status, waits_for, waits_contract, wait_until)
       SELECT 'event', '!' || n, 'crm', 'waiting', '{mapping:crm:product:nobody}'::text[], 1, now() + interval '1 hour'
         FROM generate_series(1, 500) n`,
    );
    await shop.second.get(ParkedEvents).sweep();
    await shop.run();
    expect(await shop.standing('order:O-12:v1')).toMatchObject({ outcome: 'applied' });
  });

  test('is woken by the one who is making the id known at this very moment, fifty times', async () => {
    for (let round = 0; round < 50; round++) {
      await shop.remember(order(`R-${round}`, `RP-${round}`));
      const parking = shop.run(shop.first);
      await shop.remember(product(`RP-${round}`));
      await Promise.all([parking, shop.run(shop.second)]);
      await shop.run();
      expect(await shop.standing(`order:R-${round}:v1`)).toMatchObject({ outcome: 'applied' });
    }
  });
});
