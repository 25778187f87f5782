import { beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityReference } from '../../../src/domain/event.js';
import { newInternalId, type InternalId } from '../../../src/domain/ids.js';
import { IdMapService, type Identities } from '../../../src/flow/id-map/id-map.service.js';
import type { LinkClaim } from '../../../src/flow/id-map/link-claim.js';
import { PendingCreateService } from '../../../src/flow/id-map/pending-create.service.js';
import { untilBlocked } from '../../support/until-blocked.js';
import { wireShop } from '../../support/wired-shop.js';

describe('ids that events link', () => {
  const shop = wireShop();
  let [ada, bob]: readonly InternalId[] = [];

  beforeEach(async () => {
    await shop.query('TRUNCATE mappings');
    [ada, bob] = [newInternalId(Date.now()), newInternalId(Date.now())];
  });

  /** One event in a transaction of its own, in one of the two processes. */
  async function resolve(own: string, links: readonly string[], at = 0): Promise<Identities> {
    const process = at % 2 === 0 ? shop.first : shop.second;
    const claim: LinkClaim = {
      entity: id(own),
      links: links.map((name) => ({ kind: 'external', id: id(name), isAllowed: true })),
    };
    return process.database.transaction(async (tx) =>
      process.get(IdMapService).resolve(tx, [claim.entity], links.length === 0 ? [] : [claim]),
    );
  }

  async function held(): Promise<Readonly<Record<string, string>>> {
    const rows = await shop.query<{ name: string; internal_id: string }>(
      `SELECT system || ':' || coalesce(external_id, state) AS name, internal_id FROM mappings`,
    );
    return Object.fromEntries(rows.map(({ name, internal_id }) => [name, internal_id]));
  }

  async function insert(name: string, internalId: InternalId | undefined): Promise<void> {
    await shop.query(...insertion(name, internalId));
  }

  /**
   * Runs `work` while a transaction of somebody else has carried out a statement, which it commits as soon as `work`
   * waits for it.
   */
  async function overtaken<T>([statement, values]: Statement, work: () => Promise<T>): Promise<T> {
    let result: Promise<T> | undefined;
    await shop.second.database.transaction(async (tx) => {
      await tx.query(statement, values);
      result = work();
      result.catch(() => undefined);
      await untilBlocked(shop, 1);
    });
    if (result === undefined) throw new Error('Nothing was done.');
    return result;
  }

  test('two events that link one pair at once, from either end, make one entity of it', async () => {
    for (let round = 0; round < 15; round++) {
      const [crm, erp] = [`crm:C${round}`, `erp:E${round}`];
      const both = Array.from({ length: 6 }, async (_, at) =>
        at % 2 === 0 ? resolve(crm, [erp], at) : resolve(erp, [crm], at),
      );
      const seen = await Promise.all(both);
      expect(seen.flatMap(({ rivals }) => rivals)).toEqual([]);
      expect(new Set(seen.flatMap((each, at) => each.of(id(at % 2 === 0 ? crm : erp)))).size).toBe(1);
      const { [crm]: one, [erp]: other } = await held();
      expect(one).toBe(other);
    }
  });

  test('of many entities that are linked to one id at once one gets it, and the others are told who', async () => {
    const seen = await Promise.all(Array.from({ length: 12 }, async (_, at) => resolve(`crm:C${at}`, ['erp:E1'], at)));
    const { 'erp:E1': owner } = await held();
    // An unknown id whose link leads to a known entity goes to that entity, if its place is free; here it is not.
    const winners = seen.filter((each, at) => each.of(id(`crm:C${at}`)) === owner);
    expect(winners).toHaveLength(1);
    const rivals = seen.flatMap((each) => each.rivals);
    expect(rivals.map(({ reason, holder }) => [reason, holder?.internalId])).toEqual(
      Array.from({ length: 11 }, () => ['id_taken', owner]),
    );
    expect(Object.keys(await held())).toHaveLength(13);
  });

  test('a link whose id is seen for the first time by somebody else meanwhile leads to what that one made of it', async () => {
    const seen = await overtaken(insertion('erp:E1', ada), async () => resolve('crm:C1', ['erp:E1', 'wms:W1']));
    expect(seen.rivals).toEqual([]);
    expect(await held()).toEqual({ 'crm:C1': ada, 'erp:E1': ada, 'wms:W1': ada });
  });

  test('an own id that somebody else sees meanwhile keeps the entity that it got, and the link goes there', async () => {
    await overtaken(insertion('crm:C1', ada), async () => resolve('crm:C1', ['erp:E1']));
    expect(await held()).toEqual({ 'crm:C1': ada, 'erp:E1': ada });
  });

  test('the id that a pending create waits for ends it', async () => {
    await insert('crm:C1', ada);
    const place = { internalId: ada ?? newInternalId(0), entityType: 'customer', system: 'erp' };
    await shop.first.get(PendingCreateService).reserve(place);
    await shop.first.get(PendingCreateService).mark(place, 1n, 'creating');
    expect((await resolve('crm:C1', ['erp:E1'])).rivals).toEqual([]);
    expect(await held()).toEqual({ 'crm:C1': ada, 'erp:E1': ada });

    // The call that was out comes back: with the same id all is well, with another one it is told.
    const creates = shop.second.get(PendingCreateService);
    expect(await creates.link(place, { externalId: 'E1', rawExternalId: 'E1' })).toEqual({ kind: 'linked' });
    expect(await creates.link(place, { externalId: 'E2', rawExternalId: 'E2' })).toEqual({
      kind: 'place_taken',
      externalId: 'E1',
    });
  });

  test('a create that lands meanwhile with another id stays, and the link is told', async () => {
    await insert('crm:C1', ada);
    await insert('erp:', ada);
    const landed: Statement = [`UPDATE mappings SET external_id = 'E2', state = 'linked' WHERE system = 'erp'`, []];
    const { rivals } = await overtaken(landed, async () => resolve('crm:C1', ['erp:E1']));
    expect(rivals).toMatchObject([{ reason: 'place_taken', holder: { externalId: 'E2', internalId: ada } }]);
    expect(await held()).toEqual({ 'crm:C1': ada, 'erp:E2': ada });
  });

  test('a create that lands meanwhile with the same id is the same', async () => {
    await insert('crm:C1', ada);
    await insert('erp:', ada);
    const landed: Statement = [`UPDATE mappings SET external_id = 'E1', state = 'linked' WHERE system = 'erp'`, []];
    expect((await overtaken(landed, async () => resolve('crm:C1', ['erp:E1']))).rivals).toEqual([]);
    expect(await held()).toEqual({ 'crm:C1': ada, 'erp:E1': ada });
  });

  test('an id that goes to another entity meanwhile breaks nothing but the link', async () => {
    await insert('crm:C1', ada);
    await insert('erp:', ada);
    const { rivals } = await overtaken(insertion('erp:E1', bob), async () => resolve('crm:C1', ['erp:E1', 'wms:W1']));
    expect(rivals).toMatchObject([{ reason: 'id_taken', holder: { externalId: 'E1', internalId: bob } }]);
    expect(await held()).toEqual({ 'crm:C1': ada, 'erp:due': ada, 'erp:E1': bob, 'wms:W1': ada });
  });

  test('plain first sights and links of the same ids at once leave no id without entity and no silent loss', async () => {
    for (let round = 0; round < 15; round++) {
      const [crm, erp] = [`crm:P${round}`, `erp:P${round}`];
      const [linking, plain] = await Promise.all([resolve(crm, [erp], 0), resolve(erp, [], 1), resolve(crm, [], 1)]);
      const { [crm]: one, [erp]: other } = await held();
      expect([linking.of(id(crm)), plain.of(id(erp))]).toEqual([one, other]);
      expect(linking.rivals).toHaveLength(one === other ? 0 : 1);
    }
  });
});

type Statement = readonly [statement: string, values: readonly unknown[]];

/** `crm:C1` → the id of a customer. */
function id(name: string): EntityReference {
  const [system = '', externalId = ''] = name.split(':');
  return { system, type: 'customer', externalId, rawExternalId: externalId };
}

/** Puts an id into the map; without one, a pending create. */
function insertion(name: string, internalId: InternalId | undefined): Statement {
  const { system, externalId } = id(name);
  return [
    `INSERT INTO mappings (mapping_id, internal_id, entity_type, system, external_id, raw_external_id, state, origin)
     VALUES (gen_random_uuid(), $1, 'customer', $2, $3, $3, $4, 'seen')`,
    [internalId, system, externalId === '' ? null : externalId, externalId === '' ? 'due' : 'linked'],
  ];
}
