import { describe, expect, test } from '@jest/globals';
import { LinkService } from '../../../src/flow/id-map/link.service.js';
import { parseInternalId } from '../../../src/domain/ids.js';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, NO_SWEEP, runShop } from './running-shop.js';

describe.each(BACKENDS)('a create that ends in a place which is taken (%s)', (backend) => {
  const shop = runShop(backend, NO_SWEEP);

  const internalIdOf = async (externalId: string) => {
    const [row] = await shop.query<{ internal_id: string }>(
      `SELECT internal_id FROM mappings WHERE system = 'crm' AND external_id = $1`,
      [externalId],
    );
    const internalId = parseInternalId(row?.internal_id ?? '');
    if (internalId === undefined) throw new Error(`${externalId} is not in the map yet.`);
    return internalId;
  };
  const writeBack = async (externalId: string, crmId: string): Promise<unknown> =>
    shop.workers.get(LinkService).link({
      system: 'erp',
      entityType: 'customer',
      externalId,
      rawExternalId: externalId,
      internalId: await internalIdOf(crmId),
    });
  const linkConflicts = async (externalId: string): Promise<unknown[]> =>
    shop.query(`SELECT internal_id FROM conflicts WHERE kind = 'link' AND external_id = $1`, [externalId]);

  test('keeps the id that was written back meanwhile, brings that record up to date, and asks a person', async () => {
    const known = await fetch(`${shop.erp.url}/customers`, { method: 'POST', body: '{"name":"known before"}' });
    const { id: knownId } = (await known.json()) as { id: string };
    await shop.erp.scriptFaults([{ kind: 'delay', ms: 500, method: 'POST' }]);
    await shop.send({ externalId: 'C-1' });
    await eventually(async () => expect(await shop.erp.calls()).toHaveLength(2));
    expect(await writeBack(knownId, 'C-1')).toEqual({ kind: 'new' });

    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered' }));
    const [ours, second] = await shop.erp.records('customers');
    expect(JSON.parse(ours?.raw ?? '')).toMatchObject({ name: 'C-1 v1' });
    expect(await linkConflicts(second?.id ?? '')).toEqual([{ internal_id: await internalIdOf('C-1') }]);
  });

  test('is given up where the new id belongs to another entity: nothing is moved, nothing created again', async () => {
    await shop.send({ externalId: 'C-2' });
    await eventually(async () => expect(await shop.delivery('C-2')).toMatchObject({ status: 'delivered' }));
    const [record] = await shop.erp.records('customers');
    const taken = record?.id ?? '';
    await shop.erp.scriptFaults([{ kind: 'status', status: 201, body: { id: taken }, method: 'POST' }]);
    await shop.send({ externalId: 'C-3' });
    await eventually(async () =>
      expect(await shop.delivery('C-3')).toMatchObject({ status: 'dead', last_code: 'create.rival' }),
    );
    expect(await linkConflicts(taken)).toEqual([{ internal_id: await internalIdOf('C-3') }]);
    expect(
      await shop.query(
        `SELECT internal_id, external_id, state FROM mappings WHERE system = 'erp' ORDER BY internal_id`,
      ),
    ).toEqual(
      expect.arrayContaining([
        { internal_id: await internalIdOf('C-2'), external_id: taken, state: 'linked' },
        { internal_id: await internalIdOf('C-3'), external_id: null, state: 'unknown' },
      ]),
    );

    // The next version looks for a record of its own first, and finds that there is none but a rival.
    await shop.erp.clearCalls();
    await shop.erp.scriptFaults([{ kind: 'status', status: 200, body: [{ id: taken }], method: 'GET' }]);
    await shop.send({ externalId: 'C-3', version: 2 });
    await eventually(async () =>
      expect(await shop.delivery('C-3')).toMatchObject({ status: 'dead', wanted_revision: 2n }),
    );
    expect((await shop.erp.calls()).map(({ method }) => method)).toEqual(['GET']);
  });
});
