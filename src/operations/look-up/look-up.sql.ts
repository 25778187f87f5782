import type { Tx } from '../../platform/database/database.js';

/** Work and end of an event, for its status; see `eventStanding`. */
export interface EventListRow {
  readonly event_id: string;
  readonly source: string;
  readonly event_type: string | null;
  readonly idempotency_key: string;
  readonly system: string | null;
  readonly entity_type: string | null;
  readonly external_id: string | null;
  readonly version: string | null;
  readonly occurred_at: string | null;
  readonly correlation_id: string;
  readonly conflicts_with: string | null;
  readonly received_at: string;
  readonly contract: number | null;
  readonly deciding_contract: number | null;
  readonly work_status: string | null;
  readonly reject_reason: string | null;
  readonly reject_detail: string | null;
  readonly next_retry_time: string | null;
  /** What a parked event waits for, any of it; see `readAwaitedName`. */
  readonly waits_for: readonly string[] | null;
  readonly waits_states: readonly string[] | null;
  readonly wait_until: string | null;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly internal_id: string | null;
  readonly revision: bigint | null;
}

const EVENT_WITH_STANDING = `
  SELECT events.event_id, events.source, events.event_type, events.idempotency_key, events.system, events.entity_type,
         events.external_id, events.version, events.occurred_at, events.correlation_id, events.conflicts_with,
         events.received_at, events.contract, work.status AS work_status, work.reject_reason,
         work.reject_detail, work.next_retry_time, work.waits_for, work.waits_states, work.wait_until,
         ending.outcome, ending.code, ending.detail, ending.internal_id, ending.revision,
         ending.contract AS deciding_contract
    FROM events
    LEFT JOIN work ON work.kind = 'event' AND work.key = events.event_id::text
    LEFT JOIN LATERAL (
      SELECT trace.outcome, trace.code, trace.detail, trace.internal_id, trace.revision, trace.contract
        FROM trace
       WHERE trace.event_id = events.event_id AND trace.status = 'COMPLETED' LIMIT 1
    ) ending ON true`;

export function findEventsWithStanding(tx: Tx, eventIds: readonly string[]): Promise<EventListRow[]> {
  return tx.query<EventListRow>(`${EVENT_WITH_STANDING} WHERE events.event_id = ANY($1::uuid[])`, [eventIds]);
}

/** The ids of the events that hold a key in one of the given scopes. */
export async function findEventIdsByKey(tx: Tx, key: string, scopes: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(
    `SELECT keys.event_id FROM idempotency_keys keys
      WHERE keys.idempotency_key = $1 AND keys.scope = ANY($2::text[])`,
    [key, scopes],
  );
  return rows.map((row) => row.event_id);
}

/** The ids of the events about one entity: those that ended, and those still at work. Newest first, bounded. */
export async function findEventIdsOfEntity(
  tx: Tx,
  entity: { readonly system: string; readonly type: string; readonly external_id: string },
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(
    `SELECT found.event_id FROM (
       SELECT DISTINCT trace.event_id
         FROM mappings JOIN trace ON trace.internal_id = mappings.internal_id
        WHERE mappings.system = $1 AND mappings.entity_type = $2 AND mappings.external_id = $3
       UNION
       SELECT events.event_id
         FROM work JOIN events ON events.event_id = work.event_id
        WHERE work.kind = 'event' AND events.system = $1 AND events.entity_type = $2 AND events.external_id = $3
     ) found ORDER BY found.event_id DESC LIMIT $4`,
    [entity.system, entity.type, entity.external_id, limit],
  );
  return rows.map((row) => row.event_id);
}

/** Which events a list shows; null: any. The bounds are event ids, whose time part is the time of receipt. */
export interface EventFilter {
  readonly event_ids: readonly string[] | null;
  readonly correlation_id: string | null;
  readonly source: string | null;
  readonly event_type: string | null;
  readonly status: string | null;
  readonly from: string;
  readonly before: string;
  readonly limit: number;
}

/** Newest first. */
export function listEvents(tx: Tx, filter: EventFilter): Promise<EventListRow[]> {
  return tx.query<EventListRow>(
    `${EVENT_WITH_STANDING}
      WHERE events.event_id >= $1 AND events.event_id < $2
        AND ($3::uuid[] IS NULL OR events.event_id = ANY($3))
        AND ($4::text IS NULL OR events.correlation_id = $4)
        AND ($5::text IS NULL OR events.source = $5)
        AND ($6::text IS NULL OR events.event_type = $6)
        AND ($7::text IS NULL OR $7 = CASE WHEN work.status IS NULL THEN 'COMPLETED'
                                           WHEN work.status = 'processing' THEN 'PROCESSING'
                                           WHEN work.status = 'waiting' THEN 'PARKED'
                                           WHEN work.status = 'dead' THEN 'DEAD'
                                           WHEN work.reject_reason IS NULL THEN 'RECEIVED' ELSE 'FAILED' END)
      ORDER BY events.event_id DESC LIMIT $8`,
    [
      filter.from,
      filter.before,
      filter.event_ids,
      filter.correlation_id,
      filter.source,
      filter.event_type,
      filter.status,
      filter.limit,
    ],
  );
}
