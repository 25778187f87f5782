import type { Data } from '../checker/expected-world.js';
import type { ObservedEntity, ObservedRecord, ObservedWorld } from '../checker/observed-world.js';
import type { Rules } from '../checker/fact.js';
import type { RecordServerClient } from '../../../examples/record-server-client.js';
import type { Installation } from '../../support/installation.js';

const COLLECTIONS = ['customers', 'orders', 'payments', 'stock'] as const;

/** Reads everything that the checker compares, from the database, the API and the targets. */
export async function observeWorld(crosswalk: Installation, rules: Rules): Promise<ObservedWorld> {
  return {
    events: await observeEvents(crosswalk),
    entities: await observeEntities(crosswalk, rules),
    records: [...(await observeRecords('erp', crosswalk.erp)), ...(await observeRecords('wms', crosswalk.wms))],
    conflicts: (await crosswalk.query<{ what: string }>(`SELECT kind || ' ' || subject AS what FROM conflicts`)).map(
      ({ what }) => what,
    ),
  };
}

async function observeEvents(crosswalk: Installation): Promise<ObservedWorld['events']> {
  const rows = await crosswalk.query<{ key: string; ends: string; status: string | null; reason: string | null }>(
    `SELECT events.idempotency_key AS key, work.status, work.reject_reason AS reason,
            (SELECT count(*) FROM trace WHERE trace.event_id = events.event_id AND trace.status = 'COMPLETED') AS ends
       FROM events LEFT JOIN work ON work.kind = 'event' AND work.key = events.event_id::text`,
  );
  return rows.map(({ key, ends, status, reason }) => ({
    key,
    ends: Number(ends),
    status: status === null ? 'COMPLETED' : status === 'waiting' ? 'PARKED' : `${status} ${String(reason)}`,
  }));
}

async function observeEntities(crosswalk: Installation, rules: Rules): Promise<ObservedEntity[]> {
  const rows = await crosswalk.query<{
    type: string;
    external_id: string;
    internal_id: string;
    data: string | null;
    is_deleted: boolean | null;
    erp: string | null;
    wms: string | null;
  }>(
    `SELECT mappings.entity_type AS type, mappings.external_id, mappings.internal_id, entities.data,
            entities.is_deleted, erp.external_id AS erp, wms.external_id AS wms
       FROM mappings
       LEFT JOIN entities ON entities.internal_id = mappings.internal_id
       LEFT JOIN mappings erp ON erp.internal_id = mappings.internal_id AND erp.system = 'erp'
       LEFT JOIN mappings wms ON wms.internal_id = mappings.internal_id AND wms.system = 'wms'
      WHERE mappings.system = 'crm'`,
  );
  const entities: ObservedEntity[] = [];
  for (const row of rows) {
    entities.push({
      type: row.type,
      externalId: row.external_id,
      internalId: row.internal_id,
      data: row.data === null ? undefined : (JSON.parse(row.data) as Data),
      isDeleted: row.is_deleted === true,
      path: row.type in rules.graphs ? await pathOf(crosswalk, row.type, row.internal_id) : undefined,
      linkedAs: { ...(row.erp === null ? {} : { erp: row.erp }), ...(row.wms === null ? {} : { wms: row.wms }) },
    });
  }
  return entities;
}

async function pathOf(crosswalk: Installation, type: string, internalId: string): Promise<string[]> {
  const { path } = (await crosswalk.client().entity(type, internalId)) as {
    readonly path?: readonly { readonly state: string }[];
  };
  return (path ?? []).map(({ state }) => state);
}

async function observeRecords(target: string, server: RecordServerClient): Promise<ObservedRecord[]> {
  const records: ObservedRecord[] = [];
  for (const collection of COLLECTIONS) {
    for (const { id, ref, raw } of await server.records(collection)) {
      const { ref: _ref, ...data } = JSON.parse(raw) as Data;
      records.push({ target, id, ref, data });
    }
  }
  return records;
}
