import { beforeEach, describe, expect, test } from '@jest/globals';
import { newInternalId } from '../../../src/domain/ids.js';
import { PendingCreateService } from '../../../src/flow/id-map/pending-create.service.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { WriteBack } from '../../../src/operations/mappings/write-back.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { wireShop } from '../../support/wired-shop.js';

describe('an event that links ids', () => {
  const shop = wireShop();

  beforeEach(async () => shop.query('TRUNCATE mappings, entities, records, deliveries, work, conflicts'));

  /** Remembers the events in this order and processes them in one batch. Returns their ids. */
  async function process(...events: readonly ShopEvent[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const event of events) ids.push((await shop.first.get(InboxService).remember(shop.event(event))).eventId);
    while (await shop.first.get(EventRunner).runDue());
    return ids;
  }

  async function internalId(system: string, externalId: string): Promise<string | undefined> {
    const [row] = await shop.query<{ internal_id: string }>(
      'SELECT internal_id FROM mappings WHERE system = $1 AND external_id = $2',
      [system, externalId],
    );
    return row?.internal_id;
  }

  const ends = async (eventId: string | undefined): Promise<unknown[]> =>
    shop.query(`SELECT outcome, code FROM trace WHERE event_id = $1 AND status = 'COMPLETED'`, [eventId]);
  const questions = async (): Promise<unknown[]> => {
    const rows = await shop.query<{ kind: string; event_id: string; candidates: string }>(
      'SELECT kind, event_id, candidates FROM conflicts ORDER BY conflict_id',
    );
    return rows.map((row) => ({ ...row, candidates: JSON.parse(row.candidates) as unknown }));
  };
  const erp = (externalId: string) => [{ system: 'erp', externalId }];

  test('is applied, and what the other system reports under its own id is the same entity', async () => {
    const [first] = await process({ externalId: 'L-1', links: erp('E-1') });
    await process({ source: 'erp', externalId: 'E-1', version: 5 });
    const entity = await internalId('crm', 'L-1');
    expect(await internalId('erp', 'E-1')).toBe(entity);
    expect(await ends(first)).toEqual([{ outcome: 'applied', code: null }]);
    expect(await shop.query('SELECT source FROM records WHERE internal_id = $1 ORDER BY 1', [entity])).toEqual([
      { source: 'crm' },
      { source: 'erp' },
    ]);
    expect(await questions()).toEqual([]);
  });

  test('finds its own entity by the id that it is linked to', async () => {
    await process({ source: 'erp', externalId: 'E-2' });
    await process({ externalId: 'L-2', links: erp('E-2') });
    expect(await internalId('crm', 'L-2')).toBe(await internalId('erp', 'E-2'));
  });

  test('links although it is late', async () => {
    await process({ externalId: 'L-3', version: 2 });
    const [late] = await process({ externalId: 'L-3', version: 1, links: erp('E-3') });
    expect(await ends(late)).toEqual([{ outcome: 'stale', code: 'version.stale' }]);
    expect(await internalId('erp', 'E-3')).toBe(await internalId('crm', 'L-3'));
  });

  test('is applied without the link where that contradicts the map: one question, however often it is asked', async () => {
    await process({ externalId: 'L-4' }, { source: 'erp', externalId: 'E-4' });
    const [rival, again] = await process(
      { externalId: 'L-4', version: 2, links: erp('E-4') },
      { externalId: 'L-4', version: 3, links: erp('E-4') },
    );
    const [ada, bob] = [await internalId('crm', 'L-4'), await internalId('erp', 'E-4')];
    expect(ada).not.toBe(bob);
    expect([await ends(rival), await ends(again)]).toEqual(
      Array(2).fill([{ outcome: 'applied', code: 'link.conflict' }]),
    );
    const [asked, held] = [ada, bob].map((entity) => ({ system: 'erp', external_id: 'E-4', internal_id: entity }));
    const question = {
      kind: 'link',
      event_id: rival,
      candidates: [
        { ...asked, role: 'asked', reason: 'id_taken' },
        { ...held, role: 'held' },
      ],
    };
    expect(await questions()).toEqual([question]);
    expect(await shop.query('SELECT order_value FROM records WHERE external_id = $1', ['L-4'])).toEqual([
      { order_value: '3' },
    ]);

    // Somebody who writes the same link back asks the same question.
    const wish = { system: 'erp', entityType: 'customer', externalId: 'E-4', rawExternalId: 'E-4' };
    await shop.first.get(WriteBack).link({ ...wish, internalId: ada as ReturnType<typeof newInternalId> });
    expect(await questions()).toEqual([question]);
  });

  test('is applied without a link that its sender may not make', async () => {
    const [eventId] = await process({ externalId: 'L-5', links: [{ system: 'wms', externalId: 'W-5' }] });
    expect(await ends(eventId)).toEqual([{ outcome: 'applied', code: 'link.conflict' }]);
    expect(await internalId('wms', 'W-5')).toBeUndefined();
    expect(await questions()).toMatchObject([{ candidates: [{ role: 'asked', reason: 'not_allowed' }] }]);
  });

  test('never takes the entity of an id that its sender may not link', async () => {
    await process({ externalId: 'L-6' });
    await process({ source: 'wms', externalId: 'W-6', links: [{ system: 'crm', externalId: 'L-6' }] });
    expect(await internalId('wms', 'W-6')).not.toBe(await internalId('crm', 'L-6'));
    expect(await questions()).toMatchObject([{ candidates: [{ reason: 'not_allowed' }, { role: 'held' }] }]);
  });

  test('is set aside with its links where its key was used for other content', async () => {
    await process({ externalId: 'L-7', key: 'k-7' });
    await process({ externalId: 'L-7', key: 'k-7', links: erp('E-7') });
    expect(await internalId('erp', 'E-7')).toBeUndefined();
    expect(await questions()).toMatchObject([{ kind: 'key' }]);
  });

  describe('to our own id', () => {
    test('is about the entity that we created there, also while the create is out', async () => {
      await process({ externalId: 'O-1' });
      const entity = (await internalId('crm', 'O-1')) as ReturnType<typeof newInternalId>;
      const place = { internalId: entity, entityType: 'customer', system: 'erp' };
      await shop.first.get(PendingCreateService).reserve(place);
      await shop.first.get(PendingCreateService).mark(place, 1n, 'creating');
      const [eventId] = await process({ source: 'erp', externalId: 'OE-1', internalId: entity.toUpperCase() });
      expect(await internalId('erp', 'OE-1')).toBe(entity);
      // What the CRM says comes first in the composition, so that nothing changes but the map.
      expect(await ends(eventId)).toEqual([{ outcome: 'unchanged', code: 'content.unchanged' }]);
      expect(await shop.query(`SELECT 1 FROM mappings WHERE state <> 'linked'`)).toEqual([]);
    });

    test.each([
      ['unknown', newInternalId(0)],
      ['no id at all', 'see invoice 12'],
    ])('that is %s is a question, and the record an entity of its own', async (_what, ours) => {
      const [eventId] = await process({ source: 'erp', externalId: `OE-${ours}`, internalId: ours });
      expect(await ends(eventId)).toEqual([{ outcome: 'applied', code: 'link.conflict' }]);
      expect(await questions()).toMatchObject([
        { candidates: [{ role: 'asked', internal_id: ours, reason: 'unknown_internal_id' }, { role: 'held' }] },
      ]);
    });

    test('of an entity that another record there belongs to is a question: a copied record is no second one', async () => {
      await process({ externalId: 'O-3', links: erp('OE-3') });
      const entity = await internalId('crm', 'O-3');
      await process({ source: 'erp', externalId: 'OE-3-copy', internalId: entity });
      expect(await internalId('erp', 'OE-3-copy')).not.toBe(entity);
      expect(await questions()).toMatchObject([
        { candidates: [{ reason: 'place_taken' }, { role: 'held', external_id: 'OE-3', internal_id: entity }] },
      ]);
    });

    test('of another system’s record needs leave to link that system', async () => {
      await process({ externalId: 'O-4' });
      const entity = await internalId('crm', 'O-4');
      const [eventId] = await process({ source: 'wms', system: 'erp', externalId: 'OE-4', internalId: entity });
      expect(await ends(eventId)).toEqual([{ outcome: 'applied', code: 'link.conflict' }]);
      expect(await internalId('erp', 'OE-4')).not.toBe(entity);
    });
  });

  test('a system reports on another one’s record: its own record, of that one’s entity', async () => {
    await process({ externalId: 'S-1' });
    await process({ source: 'wms', system: 'crm', externalId: 'S-1', version: 9, key: 'wms-says' });
    const entity = await internalId('crm', 'S-1');
    expect(
      await shop.query('SELECT source, system, external_id FROM records WHERE internal_id = $1 ORDER BY 1', [entity]),
    ).toEqual([
      { source: 'crm', system: 'crm', external_id: 'S-1' },
      { source: 'wms', system: 'crm', external_id: 'S-1' },
    ]);
    expect(await shop.query('SELECT system FROM mappings WHERE internal_id = $1', [entity])).toEqual([
      { system: 'crm' },
    ]);
  });
});
