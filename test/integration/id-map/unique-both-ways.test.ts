import { beforeEach, describe, expect, test } from '@jest/globals';
import { newInternalId, type InternalId } from '../../../src/domain/ids.js';
import { LinkService, type LinkOutcome } from '../../../src/flow/id-map/link.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('the map is unique in both directions', () => {
  const shop = wireShop();

  beforeEach(async () => shop.query('TRUNCATE mappings'));

  const link = async (externalId: string, internalId: InternalId, at = 0): Promise<LinkOutcome> =>
    (at % 2 === 0 ? shop.first : shop.second)
      .get(LinkService)
      .link({ system: 'erp', entityType: 'customer', externalId, rawExternalId: externalId, internalId });
  const held = async (): Promise<unknown[]> => shop.query('SELECT internal_id, external_id FROM mappings');

  test('of many entities that claim one external id at once one gets it, and the others are told who', async () => {
    const entities = Array.from({ length: 20 }, () => newInternalId(Date.now()));
    const outcomes = await Promise.all(entities.map(async (entity, at) => link('ERP-1', entity, at)));
    const winner = entities[outcomes.findIndex(({ kind }) => kind === 'new')];
    expect(outcomes.filter(({ kind }) => kind === 'new')).toHaveLength(1);
    for (const outcome of outcomes.filter(({ kind }) => kind !== 'new')) {
      expect(outcome).toMatchObject({ kind: 'taken', holder: { external_id: 'ERP-1', internal_id: winner } });
    }
    expect(await held()).toEqual([{ internal_id: winner, external_id: 'ERP-1' }]);
  });

  test('of many external ids that one entity is given at once in one system one stays', async () => {
    const entity = newInternalId(Date.now());
    const externalIds = Array.from({ length: 20 }, (_, at) => `ERP-${at}`);
    const outcomes = await Promise.all(externalIds.map(async (externalId, at) => link(externalId, entity, at)));
    const kept = externalIds[outcomes.findIndex(({ kind }) => kind === 'new')];
    expect(outcomes.filter(({ kind }) => kind === 'taken')).toHaveLength(19);
    expect(await held()).toEqual([{ internal_id: entity, external_id: kept }]);
  });

  test('the same link again is the same', async () => {
    const entity = newInternalId(Date.now());
    const outcomes = await Promise.all(Array.from({ length: 10 }, async (_, at) => link('ERP-1', entity, at)));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['new', ...Array<string>(9).fill('same')]);
  });
});
