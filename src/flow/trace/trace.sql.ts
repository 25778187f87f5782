import type { Tx } from '../../platform/database/database.js';
import type { TracedHop } from './traced-hop.js';

export interface NewTraceRow {
  readonly event_id: string;
  readonly trace_id: string;
  readonly node: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly internal_id: string | null;
  readonly revision: string | null;
  readonly external_id: string | null;
  readonly attempt: number | null;
  readonly retry_count: number | null;
  readonly retry_interval_ms: number | null;
  readonly reject_reason: string | null;
  readonly duration_ms: number | null;
  readonly contract: number | null;
  readonly hops: string | null;
}

export async function insertTrace(tx: Tx, rows: readonly NewTraceRow[]): Promise<void> {
  await tx.query(
    `INSERT INTO trace (event_id, trace_id, node, status, outcome, code, detail, internal_id, revision, external_id,
                        attempt, duration_ms, contract, hops, retry_count, retry_interval_ms, reject_reason)
     SELECT row.event_id, row.trace_id, row.node, row.status, row.outcome, row.code, row.detail, row.internal_id,
            row.revision, row.external_id, row.attempt, row.duration_ms, row.contract, row.hops,
            row.retry_count, row.retry_interval_ms, row.reject_reason
       FROM jsonb_to_recordset($1::jsonb) AS row (event_id uuid, trace_id uuid, node text, status text, outcome text,
            code text, detail text, internal_id uuid, revision bigint, external_id text, attempt integer,
            duration_ms integer, contract integer, hops text, retry_count integer,
            retry_interval_ms double precision, reject_reason text)`,
    [JSON.stringify(rows)],
  );
}

/** The trace of events, in the order in which it happened. */
export function findTrace(tx: Tx, eventIds: readonly string[]): Promise<TracedHop[]> {
  return tx.query<TracedHop>(
    `SELECT trace.event_id, trace.trace_id, trace.at, trace.node, trace.status, trace.outcome, trace.code,
            trace.detail, trace.internal_id, trace.revision, trace.external_id, trace.attempt, trace.duration_ms,
            trace.contract, trace.hops, trace.retry_count, trace.retry_interval_ms, trace.reject_reason
       FROM trace WHERE trace.event_id = ANY($1::uuid[])
      ORDER BY trace.at, trace.trace_id`,
    [eventIds],
  );
}
