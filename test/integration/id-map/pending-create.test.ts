import { beforeEach, describe, expect, test } from '@jest/globals';
import { newInternalId, type InternalId } from '../../../src/domain/ids.js';
import { LinkService, type LinkOutcome } from '../../../src/flow/id-map/link.service.js';
import { PendingCreateService, type Linked, type Place } from '../../../src/flow/id-map/pending-create.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a create of ours and a write-back of the same record', () => {
  const shop = wireShop();
  let internalId: InternalId;
  let place: Place;

  beforeEach(async () => {
    await shop.query('TRUNCATE mappings');
    internalId = newInternalId(Date.now());
    place = { internalId, entityType: 'customer', system: 'erp' };
    await creates().reserve(place);
    await creates().mark(place, 1n, 'creating');
  });

  const creates = (): PendingCreateService => shop.first.get(PendingCreateService);
  const landCreate = async (externalId: string): Promise<Linked> =>
    creates().link(place, { externalId, rawExternalId: externalId });
  const writeBack = async (externalId: string, entity = internalId): Promise<LinkOutcome> =>
    shop.second
      .get(LinkService)
      .link({ system: 'erp', entityType: 'customer', externalId, rawExternalId: externalId, internalId: entity });
  const held = async (): Promise<unknown[]> => shop.query('SELECT internal_id, external_id, state FROM mappings');
  const heldAs = (externalId: string) => [{ internal_id: internalId, external_id: externalId, state: 'linked' }];

  test('the write-back comes first with the same id: both are right', async () => {
    expect(await writeBack('ERP-1')).toEqual({ kind: 'new' });
    expect(await landCreate('ERP-1')).toEqual({ kind: 'linked' });
    expect(await held()).toEqual(heldAs('ERP-1'));
  });

  test('the write-back comes first with another id: it stays, and the create is told', async () => {
    await writeBack('ERP-1');
    expect(await landCreate('ERP-2')).toEqual({ kind: 'place_taken', externalId: 'ERP-1' });
    expect(await creates().mark(place, 1n, 'unknown')).toBe(false);
    expect(await held()).toEqual(heldAs('ERP-1'));
  });

  test('the create comes first with another id: it stays, and the write-back is told', async () => {
    await landCreate('ERP-2');
    expect(await writeBack('ERP-2')).toEqual({ kind: 'same' });
    expect(await writeBack('ERP-1')).toMatchObject({ kind: 'taken', holder: { external_id: 'ERP-2' } });
    expect(await held()).toEqual(heldAs('ERP-2'));
  });

  test('they come at once: one of them stays, and the other is told which', async () => {
    for (let round = 0; round < 20; round++) {
      await shop.query(`UPDATE mappings SET external_id = NULL, raw_external_id = NULL, state = 'creating'`);
      const [created, written] = await Promise.all([landCreate('ERP-2'), writeBack('ERP-1')]);
      if (written.kind === 'new') {
        expect(created).toEqual({ kind: 'place_taken', externalId: 'ERP-1' });
        expect(await held()).toEqual(heldAs('ERP-1'));
      } else {
        expect(created).toEqual({ kind: 'linked' });
        expect(written).toMatchObject({ kind: 'taken', holder: { external_id: 'ERP-2' } });
        expect(await held()).toEqual(heldAs('ERP-2'));
      }
    }
  });

  test('the created id belongs to another entity: nothing is moved', async () => {
    const other = newInternalId(Date.now());
    await writeBack('ERP-9', other);
    expect(await landCreate('ERP-9')).toEqual({ kind: 'id_taken' });
    expect(await held()).toEqual(
      expect.arrayContaining([
        { internal_id: other, external_id: 'ERP-9', state: 'linked' },
        { internal_id: internalId, external_id: null, state: 'creating' },
      ]),
    );
  });

  test('a claim that is over no longer says how the create stands: the later one must not create blindly', async () => {
    expect(await creates().mark(place, 2n, 'creating')).toBe(true);
    expect(await creates().mark(place, 1n, 'due')).toBe(false);
    expect(await held()).toEqual([{ internal_id: internalId, external_id: null, state: 'creating' }]);
    expect(await creates().mark(place, 2n, 'unknown')).toBe(true);
    expect(await creates().mark(place, 3n, 'creating')).toBe(true);
  });

  test('the place is reserved once, however many reserve it', async () => {
    const reserved = await Promise.all(
      Array.from({ length: 10 }, async (_, at) =>
        (at % 2 === 0 ? shop.first : shop.second)
          .get(PendingCreateService)
          .reserve({ ...place, internalId: place.internalId, system: 'wms' }),
      ),
    );
    expect(new Set(reserved.map(({ mapping_id }) => mapping_id)).size).toBe(1);
  });
});
