import type { Tx } from '../../platform/database/database.js';

/** Which letters are meant; null: any. */
export interface LetterFilter {
  readonly kind: string | null;
  readonly code: string | null;
  readonly class: string | null;
  readonly target: string | null;
  readonly source: string | null;
  readonly event_type: string | null;
  /** By its internal id: letters of its deliveries, and of events that name it by an id that we know. */
  readonly internal_id: string | null;
  readonly correlation_id: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** A letter as lists show it, with the event that it is about; for a delivery the one that asked for it. */
export interface LetterRow {
  readonly letter_id: string;
  readonly kind: 'event' | 'delivery';
  readonly topic: string;
  readonly code: string | null;
  readonly detail: string | null;
  readonly class: string | null;
  readonly attempts: number;
  readonly dead_at: string;
  readonly wake: bigint;
  readonly fence: bigint;
  readonly internal_id: string | null;
  readonly event_id: string | null;
  readonly source: string | null;
  readonly event_type: string | null;
  readonly idempotency_key: string | null;
  readonly system: string | null;
  readonly entity_type: string | null;
  readonly external_id: string | null;
  readonly correlation_id: string | null;
  readonly wanted_revision: bigint | null;
  readonly reached_revision: bigint | null;
}

const LETTERS = `
  FROM work
  LEFT JOIN deliveries ON work.kind = 'delivery' AND deliveries.internal_id = work.internal_id
                      AND deliveries.target = work.topic
  LEFT JOIN events ON events.event_id = COALESCE(work.event_id, deliveries.wanted_by)`;

const MEANT = `
  work.status = 'dead'
    AND ($1::text IS NULL OR work.kind = $1)
    AND ($2::text IS NULL OR work.reject_reason = $2)
    AND ($3::text IS NULL OR work.failure_class = $3)
    AND ($4::text IS NULL OR (work.kind = 'delivery' AND work.topic = $4))
    AND ($5::text IS NULL OR events.source = $5)
    AND ($6::text IS NULL OR events.event_type = $6)
    AND ($7::uuid IS NULL OR work.internal_id = $7
         OR (work.kind = 'event' AND EXISTS (
               SELECT 1 FROM mappings
                WHERE mappings.internal_id = $7 AND mappings.system = events.system
                  AND mappings.entity_type = events.entity_type AND mappings.external_id = events.external_id)))
    AND ($8::text IS NULL OR events.correlation_id = $8)
    AND ($9::timestamptz IS NULL OR work.dead_at >= $9)
    AND ($10::timestamptz IS NULL OR work.dead_at < $10)`;

const LETTER_COLUMNS = `
  work.key AS letter_id, work.kind, work.topic, work.reject_reason AS code, work.reject_detail AS detail,
  work.failure_class AS class, work.retry_count AS attempts, work.dead_at, work.wake, work.fence,
  work.internal_id, events.event_id, events.source, events.event_type, events.idempotency_key, events.system,
  COALESCE(deliveries.entity_type, events.entity_type) AS entity_type, events.external_id, events.correlation_id,
  deliveries.wanted_revision, deliveries.reached_revision`;

function valuesOf(filter: LetterFilter): readonly (string | null)[] {
  const { kind, code, target, source, event_type, internal_id, correlation_id, from, to } = filter;
  return [kind, code, filter.class, target, source, event_type, internal_id, correlation_id, from, to];
}

/** The end of a page: a time and a key, because many letters may die in one moment. */
export interface LetterPlace {
  readonly dead_at: string;
  readonly key: string;
}

/** Newest first, from after a place on. */
export function listLetters(
  tx: Tx,
  filter: LetterFilter,
  after: LetterPlace | undefined,
  limit: number,
): Promise<LetterRow[]> {
  return tx.query<LetterRow>(
    `SELECT ${LETTER_COLUMNS} ${LETTERS}
      WHERE ${MEANT} AND ($11::timestamptz IS NULL OR (work.dead_at, work.key) < ($11, $12))
      ORDER BY work.dead_at DESC, work.key DESC LIMIT $13`,
    [...valuesOf(filter), after?.dead_at ?? null, after?.key ?? null, limit],
  );
}

export function findLetter(tx: Tx, letterId: string): Promise<LetterRow[]> {
  return tx.query<LetterRow>(
    `SELECT ${LETTER_COLUMNS} ${LETTERS}
      WHERE work.kind IN ('event', 'delivery') AND work.key = $1 AND work.status = 'dead'`,
    [letterId],
  );
}

export interface LetterGroupRow {
  readonly kind: string;
  readonly code: string | null;
  readonly class: string | null;
  readonly topic: string;
  readonly event_type: string | null;
  readonly count: bigint;
  readonly oldest: string;
  readonly newest: string;
}

/** By reason, target or source, and event type; the largest groups first. */
export function groupLetters(tx: Tx, filter: LetterFilter, limit: number): Promise<LetterGroupRow[]> {
  return tx.query<LetterGroupRow>(
    `SELECT work.kind, work.reject_reason AS code, work.failure_class AS class, work.topic, events.event_type,
            count(*) AS count, min(work.dead_at) AS oldest, max(work.dead_at) AS newest
       ${LETTERS}
      WHERE ${MEANT}
      GROUP BY work.kind, work.reject_reason, work.failure_class, work.topic, events.event_type
      ORDER BY count(*) DESC, max(work.dead_at) DESC LIMIT $11`,
    [...valuesOf(filter), limit],
  );
}

export async function countLetters(tx: Tx, filter: LetterFilter): Promise<number> {
  const [row] = await tx.query<{ count: bigint }>(
    `SELECT count(*) AS count ${LETTERS} WHERE ${MEANT}`,
    valuesOf(filter),
  );
  return Number(row?.count ?? 0);
}

/** The oldest letters that had died by `until`, from after a place on. */
export function nextLetters(
  tx: Tx,
  filter: LetterFilter,
  reach: { readonly until: string; readonly after: LetterPlace | undefined; readonly limit: number },
): Promise<LetterPlace[]> {
  return tx.query<LetterPlace>(
    `SELECT work.dead_at, work.key ${LETTERS}
      WHERE ${MEANT} AND work.dead_at <= $11
        AND ($12::timestamptz IS NULL OR (work.dead_at, work.key) > ($12, $13))
      ORDER BY work.dead_at, work.key LIMIT $14`,
    [...valuesOf(filter), reach.until, reach.after?.dead_at ?? null, reach.after?.key ?? null, reach.limit],
  );
}

export interface AttemptRow {
  readonly at: string;
  readonly event_id: string;
  readonly status: string;
  readonly code: string | null;
  readonly detail: string | null;
  readonly attempt: number | null;
  readonly revision: bigint | null;
}

/** What was done about one delivery, in order, whichever event asked for it; the newest rows where there are many. */
export function findDeliveryAttempts(tx: Tx, target: string, internalId: string, limit: number): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(
    `SELECT newest.at, newest.event_id, newest.status, newest.code, newest.detail, newest.attempt, newest.revision FROM (
       SELECT trace.at, trace.event_id, trace.status, trace.code, trace.detail, trace.attempt, trace.revision
         FROM trace WHERE trace.internal_id = $2 AND trace.node = $1
        ORDER BY trace.at DESC LIMIT $3
     ) newest ORDER BY newest.at`,
    [target, internalId, limit],
  );
}

/** The same about an event before it was applied. */
export function findEventAttempts(tx: Tx, eventId: string, limit: number): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(
    `SELECT newest.at, newest.event_id, newest.status, newest.code, newest.detail, newest.attempt, newest.revision FROM (
       SELECT trace.at, trace.event_id, trace.status, trace.code, trace.detail, trace.attempt, trace.revision
         FROM trace WHERE trace.event_id = $1 AND trace.node IN ('worker', 'operator')
        ORDER BY trace.at DESC LIMIT $2
     ) newest ORDER BY newest.at`,
    [eventId, limit],
  );
}
