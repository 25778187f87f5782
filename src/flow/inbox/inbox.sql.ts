import type { EventId } from '../../domain/ids.js';
import type { Tx } from '../../platform/database/database.js';
import type { AcceptedEvent } from './accepted-event.js';
import type { StandingFacts } from './event-standing.js';

/** One event as it goes into the database; `scope` and `key` are what makes it unique, what is absent becomes NULL. */
export interface EventRow {
  readonly event_id: EventId;
  readonly scope: string;
  readonly key: string;
  readonly source: string;
  readonly event_type?: string;
  readonly idempotency_key: string;
  readonly system?: string;
  readonly entity_type?: string;
  readonly external_id?: string;
  readonly raw_external_id?: string;
  /** JSON; absent for nearly all. */
  readonly links?: string;
  readonly version?: string | undefined;
  /** Microseconds since 1970, as text. */
  readonly occurred_at?: string | undefined;
  readonly state?: string | undefined;
  readonly expected_state?: string | undefined;
  readonly correlation_id: string;
  readonly traceparent?: string | undefined;
  /** JSON; absent for nearly all. */
  readonly retry?: string;
  readonly fingerprint: string;
  readonly conflicts_with?: EventId;
  readonly payload: string;
  /** JSON, of a webhook that no rule could read. */
  readonly request?: string;
  readonly work_status: 'due' | 'dead';
  readonly reject_reason?: string;
  readonly reject_detail?: string;
}

/**
 * Remembers events, all read by one contract: key, event and work row of each, in one statement. Returns the ids of
 * those whose key was new; all others lost against a key that is already there, or against one of the same group.
 *
 * Keys are inserted in one order everywhere, so that two groups with the same keys wait for each other instead of
 * running into a deadlock; of several copies in one group the one that came first wins. PostgreSQL inserts in the order
 * in which it reads the list. The winner of a lost key may be invisible to this statement: ask again in a second one.
 *
 * The rows travel as `json` and not as `jsonb`, which would sort the members of each before they are read; they are
 * sorted here and not there; and the ids come back as one text: all in all a fifth less work for PostgreSQL.
 */
export async function insertEvents(
  tx: Tx,
  rows: readonly EventRow[],
  contractNumber: number,
): Promise<ReadonlySet<string>> {
  const [inserted] = await tx.query<{ event_ids: string | null }>(
    `WITH arrived AS (
       SELECT * FROM json_to_recordset($1::json) AS row (
         event_id uuid, scope text, key text, source text, event_type text, idempotency_key text, system text,
         entity_type text, external_id text, raw_external_id text, links text, version numeric, occurred_at bigint,
         state text, expected_state text,
         correlation_id text, traceparent text, fingerprint text, conflicts_with uuid, payload text,
         request text, retry text, work_status text, reject_reason text, reject_detail text)
     ), firsts AS (
       INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
       SELECT arrived.scope, arrived.key, arrived.event_id, arrived.fingerprint
         FROM arrived
       ON CONFLICT DO NOTHING
       RETURNING event_id
     ), remembered AS (
       INSERT INTO events (event_id, source, event_type, idempotency_key, system, entity_type, external_id,
                           raw_external_id, links, version, occurred_at, correlation_id, traceparent, fingerprint,
                           conflicts_with, payload, request, contract, state, expected_state, retry)
       SELECT arrived.event_id, arrived.source, arrived.event_type, arrived.idempotency_key, arrived.system,
              arrived.entity_type, arrived.external_id, arrived.raw_external_id, arrived.links, arrived.version,
              'epoch'::timestamptz + arrived.occurred_at * interval '1 microsecond',
              arrived.correlation_id, arrived.traceparent, arrived.fingerprint, arrived.conflicts_with, arrived.payload,
              arrived.request, $2::integer, arrived.state, arrived.expected_state, arrived.retry
         FROM arrived JOIN firsts USING (event_id)
     ), work_to_do AS (
       INSERT INTO work (kind, key, topic, event_id, status, dead_at, reject_reason, reject_detail, failure_class)
       SELECT 'event', arrived.event_id::text, arrived.source, arrived.event_id, arrived.work_status,
              CASE arrived.work_status WHEN 'dead' THEN clock_timestamp() END, arrived.reject_reason,
              arrived.reject_detail, CASE arrived.work_status WHEN 'dead' THEN 'final' END
         FROM arrived JOIN firsts USING (event_id)
     )
     SELECT string_agg(firsts.event_id::text, ',') AS event_ids FROM firsts`,
    [JSON.stringify(rows.toSorted(byKey)), contractNumber],
  );
  return new Set(inserted?.event_ids?.split(','));
}

/** By code units, whatever the locale; equal keys stay in the order of their arrival. */
function byKey(a: EventRow, b: EventRow): number {
  // Last, because they are found to be such only after all others of their transaction were inserted.
  const [isRival, isOtherRival] = [a, b].map(({ conflicts_with }) => conflicts_with !== undefined);
  if (isRival !== isOtherRival) return isRival ? 1 : -1;
  if (a.scope !== b.scope) return a.scope < b.scope ? -1 : 1;
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return 0;
}

export interface OriginalRow {
  readonly at: number;
  readonly event_id: EventId;
  readonly fingerprint: string;
  readonly work_status: string | null;
  readonly reject_reason: string | null;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly internal_id: string | null;
}

/**
 * The events that hold the given keys, and where they stand. A key without a row has lost its holder since (it was
 * forgotten in between): remember it again.
 */
export function findOriginals(
  tx: Tx,
  keys: readonly { readonly at: number; readonly scope: string; readonly key: string }[],
): Promise<OriginalRow[]> {
  return tx.query<OriginalRow>(
    `SELECT wanted.at, keys.event_id, keys.fingerprint, work.status AS work_status, work.reject_reason,
            ending.outcome, ending.code, ending.internal_id
       FROM jsonb_to_recordset($1::jsonb) AS wanted (at integer, scope text, key text)
       JOIN idempotency_keys keys ON keys.scope = wanted.scope AND keys.idempotency_key = wanted.key
       LEFT JOIN work ON work.kind = 'event' AND work.key = keys.event_id::text
       LEFT JOIN LATERAL (
         SELECT trace.outcome, trace.code, trace.internal_id
           FROM trace
          WHERE trace.event_id = keys.event_id AND trace.status = 'COMPLETED' LIMIT 1
       ) ending ON true`,
    [JSON.stringify(keys)],
  );
}

/** Where events stand, in no order. Workers end them meanwhile: what is not final may be so in the next moment. */
export function findStandings(
  tx: Tx,
  eventIds: readonly EventId[],
): Promise<(StandingFacts & { readonly event_id: EventId })[]> {
  return tx.query(
    `SELECT wanted.event_id, work.status AS work_status, work.reject_reason,
            ending.outcome, ending.code, ending.internal_id
       FROM unnest($1::uuid[]) AS wanted (event_id)
       LEFT JOIN work ON work.kind = 'event' AND work.key = wanted.event_id::text
       LEFT JOIN LATERAL (
         SELECT trace.outcome, trace.code, trace.internal_id
           FROM trace
          WHERE trace.event_id = wanted.event_id AND trace.status = 'COMPLETED' LIMIT 1
       ) ending ON true`,
    [eventIds],
  );
}

/** Adds to the counts of intercepted copies; the hour is the database's. */
export async function addDuplicateCounts(
  tx: Tx,
  counts: readonly {
    readonly source: string;
    readonly event_type: string;
    readonly layer: string;
    readonly copies: number;
  }[],
): Promise<void> {
  await tx.query(
    `INSERT INTO duplicate_counts AS counted (hour, source, event_type, layer, copies)
     SELECT date_trunc('hour', now()), row.source, row.event_type, row.layer, row.copies
       FROM jsonb_to_recordset($1::jsonb) AS row (source text, event_type text, layer text, copies bigint)
      ORDER BY row.source, row.event_type, row.layer
     ON CONFLICT (hour, source, event_type, layer) DO UPDATE SET copies = counted.copies + EXCLUDED.copies`,
    [JSON.stringify(counts)],
  );
}

const EVENT_COLUMNS = `events.event_id, events.source, events.event_type, events.idempotency_key, events.system,
  events.entity_type, events.external_id, events.raw_external_id, events.links, events.version, events.occurred_at,
  (extract(epoch FROM events.occurred_at) * 1000000)::bigint AS occurred_at_micros, events.correlation_id,
  events.traceparent, events.conflicts_with, events.payload, events.request, events.contract, events.received_at,
  events.state, events.expected_state, events.retry`;

/** Events by their ids, in no order. */
export function findEventsById(tx: Tx, eventIds: readonly string[]): Promise<AcceptedEvent[]> {
  return tx.query<AcceptedEvent>(`SELECT ${EVENT_COLUMNS} FROM events WHERE events.event_id = ANY($1::uuid[])`, [
    eventIds,
  ]);
}

/** The events of one process, oldest first. */
export function findEventsByCorrelationId(tx: Tx, correlationId: string, limit: number): Promise<AcceptedEvent[]> {
  return tx.query<AcceptedEvent>(
    `SELECT ${EVENT_COLUMNS} FROM events WHERE events.correlation_id = $1 ORDER BY events.event_id LIMIT $2`,
    [correlationId, limit],
  );
}

/** Changes whenever the server was started, the database or the keys were put back, or a row of ours was written anew. */
const HISTORY = `
  extract(epoch FROM pg_postmaster_start_time())::text || ':' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) || ':' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || ':' ||
  pg_relation_filenode('idempotency_keys') || ':' ||
  guard_epoch.tableoid || ':' || guard_epoch.xmin || ':' || guard_epoch.mark`;

/**
 * In which history of the database this statement ran: two answers are equal only if everything that was committed at
 * the first is still there at the second. Any role may ask for it; an error where the server is a standby.
 */
export async function readEpoch(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.query<{ epoch: string }>(`SELECT ${HISTORY} AS epoch FROM guard_epoch`);
  return row?.epoch;
}

/** As `readEpoch`, with the identity of the cluster as well, which some hosts do not let every role ask for. */
export async function readEpochOfCluster(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.query<{ epoch: string }>(
    `SELECT cluster.system_identifier || ':' || ${HISTORY} AS epoch FROM guard_epoch, pg_control_system() AS cluster`,
  );
  return row?.epoch;
}
