import { beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { findRecordsOf } from '../../src/flow/entities/entities.sql.js';
import type { InternalId } from '../../src/domain/ids.js';
import { findMappingsByExternalId } from '../../src/flow/id-map/id-map.sql.js';
import { findOriginals } from '../../src/flow/inbox/inbox.sql.js';
import { findTrace } from '../../src/flow/trace/trace.sql.js';
import {
  claimByKey,
  claimDue,
  findOverdueDeliveries,
  prolongClaims,
  takeOverExpired,
} from '../../src/flow/work/work.sql.js';
import { findDeadLetter } from '../../src/flow/work/dead-letters.sql.js';
import { listLetters, nextLetters } from '../../src/operations/dead-letters/dead-letters.sql.js';
import { readLetterFilter } from '../../src/operations/dead-letters/letter-filter.js';
import type { Tx } from '../../src/platform/database/database.js';
import { suiteResources } from '../support/suite-resources.js';
import { wireShop } from '../support/wired-shop.js';

const ROWS = 30_000;
/** PostgreSQL decides between a custom and a generic plan after five executions of a prepared statement. */
const EXECUTIONS = 8;

describe('every hot statement finds its rows by an index', () => {
  const closeLater = suiteResources();
  const shop = wireShop();
  let client: pg.Client;
  let eventIds: string[];
  let internalIds: InternalId[];

  beforeAll(async () => {
    client = new pg.Client({ connectionString: shop.databaseUrl });
    await client.connect();
    closeLater(async () => client.end());
    await fill(client);
    const idsIn = async (statement: string): Promise<string[]> =>
      (await client.query<{ id: string }>(statement)).rows.map(({ id }) => id);
    eventIds = await idsIn('SELECT event_id AS id FROM idempotency_keys ORDER BY idempotency_key LIMIT 100');
    internalIds = (await idsIn('SELECT internal_id AS id FROM records ORDER BY external_id LIMIT 100')) as InternalId[];
  });

  const keys = Array.from({ length: 100 }, (_, at) => ({ at, scope: 'crm:customer.updated', key: `key-${at}` }));
  const ids = Array.from({ length: 100 }, (_, at) => ({
    system: 'crm',
    entity_type: 'customer',
    external_id: `C-${at}`,
  }));

  const claims = keys.map(({ key }) => ({ kind: 'event' as const, key, fence: 1n }));

  const statements: readonly [string, (tx: Tx) => Promise<unknown>][] = [
    ['claimDue', async (tx) => claimDue(tx, 'event', 200, 60_000)],
    ['claimByKey', async (tx) => claimByKey(tx, 'event', eventIds[0] ?? '', 60_000)],
    ['takeOverExpired', async (tx) => takeOverExpired(tx, 'event', 60_000, null)],
    ['prolongClaims', async (tx) => prolongClaims(tx, claims, 60_000)],
    ['findOverdueDeliveries', async (tx) => findOverdueDeliveries(tx, 'erp', 10_000, 500)],
    ['findOriginals', async (tx) => findOriginals(tx, keys)],
    ['findMappingsByExternalId', async (tx) => findMappingsByExternalId(tx, ids)],
    ['findRecordsOf', async (tx) => findRecordsOf(tx, internalIds)],
    ['findTrace', async (tx) => findTrace(tx, eventIds)],
    ['findDeadLetter', async (tx) => findDeadLetter(tx, eventIds[0] ?? '')],
    ['listLetters', async (tx) => listLetters(tx, readLetterFilter({}), undefined, 50)],
    [
      'nextLetters',
      async (tx) =>
        nextLetters(tx, readLetterFilter({}), { until: '2100-01-01T00:00:00Z', after: undefined, limit: 50 }),
    ],
  ];

  test.each(statements)('%s', async (name, run) => {
    const plan = await planInTheLongRun(client, name.toLowerCase(), run);
    const scanned = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table = '']) => table);
    const rowsOf = await tableSizes(client);
    const bigTables = scanned.filter((table) => (rowsOf.get(table) ?? 0) > 1_000);
    expect({ bigTables, plan }).toEqual({ bigTables: [], plan });
  });
});

/** Some tens of thousands of events that are done with, and as much work: more than any queue should ever hold. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    CREATE FUNCTION event_id_of(n int) RETURNS uuid LANGUAGE sql VOLATILE AS $$
      SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint), 12, '0') || '7000' || '8' ||
              lpad(to_hex(n), 15, '0'))::uuid $$;
    INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
      SELECT 'crm:customer.updated', 'key-' || n, event_id_of(n), 'f' FROM generate_series(0, ${ROWS - 1}) n;
    INSERT INTO work (kind, key, topic, event_id, next_retry_time, status, dead_at, lease_until)
      SELECT 'event', event_id_of(n)::text, 'crm', event_id_of(n), now() - n * interval '1 ms',
             CASE n % 3 WHEN 0 THEN 'due' WHEN 1 THEN 'processing' ELSE 'dead' END, now(),
             CASE n % 3 WHEN 1 THEN now() + n * interval '1 second' END
        FROM generate_series(0, ${ROWS - 1}) n;
    INSERT INTO trace (event_id, trace_id, node, status, outcome)
      SELECT event_id_of(n), gen_random_uuid(), 'worker', 'COMPLETED', 'applied' FROM generate_series(0, ${ROWS - 1}) n;
    INSERT INTO mappings (mapping_id, internal_id, entity_type, system, external_id, state, origin)
      SELECT gen_random_uuid(), gen_random_uuid(), 'customer', 'crm', 'C-' || n, 'linked', 'seen'
        FROM generate_series(0, ${ROWS - 1}) n;
    INSERT INTO records (source, system, entity_type, external_id, internal_id, field_clocks, data, last_event_id)
      SELECT 'crm', 'crm', 'customer', external_id, internal_id, '{}', '{}', gen_random_uuid() FROM mappings;
    ANALYZE`);
}

/** The plan that a prepared statement ends up with, as the pool prepares all of ours. */
async function planInTheLongRun(client: pg.Client, name: string, run: (tx: Tx) => Promise<unknown>): Promise<string> {
  const calls: { statement: string; values: readonly unknown[] }[] = [];
  const recorder: Tx = {
    query: async (statement, values = []) => {
      calls.push({ statement, values });
      return Promise.resolve([]);
    },
  };
  await run(recorder);
  const [call] = calls;
  if (call === undefined) throw new Error(`${name} runs no statement.`);
  await client.query(`PREPARE ${name} AS ${call.statement}`);
  const execution = `EXPLAIN EXECUTE ${name} (${call.values.map((value) => (value === null ? 'NULL' : literal(value))).join(', ')})`;
  let plan = '';
  for (let at = 0; at < EXECUTIONS; at++) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(execution);
    plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  }
  return plan;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => `"${String(item)}"`).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

async function tableSizes(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(
    `SELECT relname AS name, reltuples::int AS rows FROM pg_class WHERE relkind = 'r'`,
  );
  return new Map(rows.map((row) => [row.name, row.rows]));
}
