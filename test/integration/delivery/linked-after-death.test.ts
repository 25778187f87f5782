import { describe, expect, test } from '@jest/globals';
import type { InternalId } from '../../../src/domain/ids.js';
import { ConflictsService } from '../../../src/flow/conflicts/conflicts.service.js';
import { DeliveriesService } from '../../../src/flow/delivery/deliveries.service.js';
import { LinkService } from '../../../src/flow/id-map/link.service.js';
import { WriteBack } from '../../../src/operations/mappings/write-back.js';
import { Database } from '../../../src/platform/database/database.js';
import { Alarms } from '../../../src/platform/queues/alarms.js';
import { eventually } from '../../support/eventually.js';
import type { RunningWorkers } from '../../support/running-workers.js';
import { BACKENDS, NO_SWEEP, runShop } from './running-shop.js';

describe.each(BACKENDS)('a create that was given up, of a record that the target has (%s)', (backend) => {
  const shop = runShop(backend, NO_SWEEP);

  /** A customer of ours whom the ERP refuses to create, and the ERP's own record of them. */
  async function givenUp(externalId: string) {
    await shop.erp.scriptFaults([{ kind: 'status', status: 400 }]);
    const eventId = await shop.send({ externalId, version: 2, payload: '{"name":"Ada"}' });
    await eventually(async () => expect(await shop.delivery(externalId)).toMatchObject({ status: 'dead' }));
    const created = await fetch(`${shop.erp.url}/customers`, { method: 'POST', body: '{"name":"old"}' });
    const { id } = (await created.json()) as { id: string };
    const [mapping] = await shop.query<{ internal_id: InternalId }>(
      `SELECT internal_id FROM mappings WHERE system = 'crm' AND external_id = $1`,
      [externalId],
    );
    if (mapping === undefined) throw new Error('The event was not processed.');
    return { eventId, erpId: id, internalId: mapping.internal_id };
  }

  /** Workers have no routes; this is what the one of the map wires. */
  function writeBack(): WriteBack {
    const get: RunningWorkers['get'] = (service) => shop.workers.get(service);
    return new WriteBack(get(Database), get(LinkService), get(ConflictsService), get(DeliveriesService), get(Alarms));
  }

  async function expectUpdated(externalId: string, { eventId, erpId }: { eventId: string; erpId: string }) {
    await eventually(async () => expect(await shop.delivery(externalId)).toMatchObject({ status: 'delivered' }));
    expect(await shop.erp.rawBody('customers', erpId)).toContain('"name":"Ada"');
    expect(await shop.erp.records('customers')).toHaveLength(1);
    expect(await shop.trace(eventId)).toContainEqual({ node: 'erp', status: 'SUPERSEDED', code: 'work.superseded' });
    expect(await shop.query('SELECT * FROM work')).toEqual([]);
  }

  test('becomes an update when an event that changes nothing links that record', async () => {
    const former = await givenUp('L-1');
    const { erpId, internalId } = former;
    await shop.send({ source: 'erp', externalId: erpId, internalId, payload: '{"name":"old"}' });
    await expectUpdated('L-1', former);
  });

  test('becomes an update when a late event links that record', async () => {
    const former = await givenUp('L-2');
    await shop.send({ externalId: 'L-2', version: 1, links: [{ system: 'erp', externalId: former.erpId }] });
    await expectUpdated('L-2', former);
  });

  test('becomes an update when that record is written back, also the second time', async () => {
    const former = await givenUp('L-3');
    const { erpId: externalId, internalId } = former;
    const wish = { system: 'erp', entityType: 'customer', externalId, rawExternalId: externalId, internalId };
    expect(await writeBack().link(wish)).toEqual({ kind: 'new' });
    await expectUpdated('L-3', former);
    expect(await writeBack().link(wish)).toEqual({ kind: 'same' });
    expect(await shop.delivery('L-3')).toMatchObject({ status: 'delivered' });
  });
});
