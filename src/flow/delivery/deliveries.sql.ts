import type { InternalId } from '../../domain/ids.js';
import type { Tx } from '../../platform/database/database.js';
import type { Delivery } from './delivery.js';

export interface WantedRow {
  readonly target: string;
  readonly internal_id: string;
  readonly entity_type: string;
  readonly revision: string;
  readonly event_id: string;
}

export interface RaisedRow {
  readonly target: string;
  readonly internal_id: InternalId;
  /** Status before this statement: `dead` is a dead letter that newer work takes the place of. */
  readonly status: string;
  readonly attempted_by: string | null;
}

/**
 * Raises what targets should have. Rows are locked in one order; a revision never falls. Returns the rows whose wish
 * is new, with their former status.
 */
export function raiseWanted(tx: Tx, rows: readonly WantedRow[]): Promise<RaisedRow[]> {
  return tx.query<RaisedRow>(
    `INSERT INTO deliveries AS held (target, internal_id, entity_type, wanted_revision, wanted_by)
     SELECT row.target, row.internal_id, row.entity_type, row.revision, row.event_id
       FROM jsonb_to_recordset($1::jsonb) AS row (target text, internal_id uuid, entity_type text, revision bigint,
                                                  event_id uuid)
      ORDER BY row.internal_id, row.target
     ON CONFLICT (internal_id, target) DO UPDATE
        SET wanted_revision = EXCLUDED.wanted_revision, wanted_by = EXCLUDED.wanted_by, updated_at = now()
      WHERE held.wanted_revision < EXCLUDED.wanted_revision
     RETURNING held.target, held.internal_id, held.status, held.attempted_by`,
    [JSON.stringify(rows)],
  );
}

const DELIVERY_COLUMNS = `deliveries.target, deliveries.internal_id, deliveries.entity_type, deliveries.wanted_revision,
  deliveries.reached_revision, deliveries.dirty_seq, deliveries.clean_seq, deliveries.wanted_by, deliveries.status,
  deliveries.attempts, deliveries.last_code, deliveries.last_detail, deliveries.delivered_at`;

export function findDelivery(tx: Tx, target: string, internalId: string): Promise<Delivery[]> {
  return tx.query<Delivery>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE deliveries.target = $1 AND deliveries.internal_id = $2`,
    [target, internalId],
  );
}

export function findDeliveriesOf(tx: Tx, internalIds: readonly string[]): Promise<Delivery[]> {
  return tx.query<Delivery>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE deliveries.internal_id = ANY($1::uuid[])
      ORDER BY deliveries.internal_id, deliveries.target`,
    [internalIds],
  );
}

/** What was raised is due again, however its last attempt ended. Hold the rows' locks. */
export async function markDue(tx: Tx, rows: readonly { target: string; internal_id: string }[]): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET status = 'due'
       FROM unnest($1::text[], $2::uuid[]) AS raised (target, internal_id)
      WHERE deliveries.target = raised.target AND deliveries.internal_id = raised.internal_id`,
    [rows.map(({ target }) => target), rows.map(({ internal_id }) => internal_id)],
  );
}

/** What was given up is due again; the rest is left alone. Rows are locked in one order. Returns those that were dead. */
export function markDeadDue(
  tx: Tx,
  places: readonly { readonly target: string; readonly internalId: string }[],
): Promise<RaisedRow[]> {
  return tx.query<RaisedRow>(
    `WITH dead AS MATERIALIZED (
       SELECT deliveries.target, deliveries.internal_id
         FROM deliveries
        WHERE (deliveries.target, deliveries.internal_id) IN (SELECT * FROM unnest($1::text[], $2::uuid[]))
          AND deliveries.status = 'dead'
        ORDER BY deliveries.internal_id, deliveries.target
          FOR UPDATE
     )
     UPDATE deliveries SET status = 'due', updated_at = now()
       FROM dead
      WHERE deliveries.target = dead.target AND deliveries.internal_id = dead.internal_id
     RETURNING deliveries.target, deliveries.internal_id, 'dead' AS status, deliveries.attempted_by`,
    [places.map(({ target }) => target), places.map(({ internalId }) => internalId)],
  );
}

/**
 * Locks the delivery and records what an attempt reached. `is_behind`: more is wanted by now, or a call with an unknown
 * end came in between. `doubt_ms`: how long an earlier call may still be carried out and put its older state on top of
 * what was reached; null where that cannot happen.
 */
export function saveReached(
  tx: Tx,
  attempt: {
    readonly target: string;
    readonly internal_id: string;
    readonly revision: bigint;
    readonly dirty_seq: bigint;
    /** When the attempt began, by the database's clock. */
    readonly began_at: string;
    readonly event_id: string;
    /** Why no call was made; null where one was. */
    readonly code: string | null;
  },
): Promise<{ is_behind: boolean; doubt_ms: number | null; attempts: number }[]> {
  return tx.query<{ is_behind: boolean; doubt_ms: number | null; attempts: number }>(
    `UPDATE deliveries
        SET reached_revision = $3,
            clean_seq = CASE WHEN deliveries.doubt_until > $5 THEN deliveries.clean_seq
                             ELSE GREATEST(deliveries.clean_seq, $4) END,
            attempted_by = $6, attempts = deliveries.attempts + 1, last_code = $7, last_detail = NULL,
            delivered_at = now(), updated_at = now(),
            status = CASE WHEN deliveries.wanted_revision > $3 OR deliveries.dirty_seq > $4
                          THEN 'due' ELSE 'delivered' END
      WHERE deliveries.target = $1 AND deliveries.internal_id = $2
     RETURNING deliveries.wanted_revision > $3 OR deliveries.dirty_seq > $4 AS is_behind, deliveries.attempts,
               CASE WHEN deliveries.doubt_until > $5
                    THEN GREATEST(0, ceil(extract(epoch FROM deliveries.doubt_until - clock_timestamp()) * 1000))::float8
               END AS doubt_ms`,
    [
      attempt.target,
      attempt.internal_id,
      String(attempt.revision),
      String(attempt.dirty_seq),
      attempt.began_at,
      attempt.event_id,
      attempt.code,
    ],
  );
}

/**
 * Locks the delivery. `is_behind`: the target is not where it should be, or a call with unknown end left it in doubt.
 * Zero rows: nothing was ever wanted.
 */
export function lockDelivery(tx: Tx, target: string, internalId: string): Promise<{ is_behind: boolean }[]> {
  return tx.query<{ is_behind: boolean }>(
    `SELECT deliveries.wanted_revision > deliveries.reached_revision
            OR deliveries.dirty_seq > deliveries.clean_seq AS is_behind
       FROM deliveries WHERE deliveries.target = $1 AND deliveries.internal_id = $2
        FOR UPDATE`,
    [target, internalId],
  );
}

/**
 * Locks the delivery and counts an attempt that failed; `may_have_arrived`: the target may have taken it all the same.
 * `is_outdated`: a newer revision is wanted by now, so the failure says nothing about what comes next.
 */
export function countFailedAttempt(
  tx: Tx,
  attempt: {
    readonly target: string;
    readonly internal_id: string;
    readonly revision: bigint;
    readonly event_id: string;
    readonly may_have_arrived: boolean;
    /** How long a call with unknown end may still be carried out. */
    readonly doubt_ms: number;
  },
): Promise<{ attempts: number; is_outdated: boolean }[]> {
  return tx.query<{ attempts: number; is_outdated: boolean }>(
    `UPDATE deliveries
        SET attempted_by = $4, attempts = deliveries.attempts + 1,
            dirty_seq = deliveries.dirty_seq + CASE WHEN $5 THEN 1 ELSE 0 END,
            doubt_until = CASE WHEN $5 THEN clock_timestamp() + $6 * interval '1 ms' ELSE deliveries.doubt_until END,
            updated_at = now()
      WHERE deliveries.target = $1 AND deliveries.internal_id = $2
     RETURNING deliveries.attempts, deliveries.wanted_revision > $3 AS is_outdated`,
    [
      attempt.target,
      attempt.internal_id,
      String(attempt.revision),
      attempt.event_id,
      attempt.may_have_arrived,
      attempt.doubt_ms,
    ],
  );
}

/** Says how a delivery stands after an attempt that failed. Hold its lock. */
export async function saveFailure(
  tx: Tx,
  failure: {
    readonly target: string;
    readonly internal_id: string;
    readonly status: 'retrying' | 'dead';
    readonly code: string;
    readonly detail: string;
  },
): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET status = $3, last_code = $4, last_detail = $5
      WHERE deliveries.target = $1 AND deliveries.internal_id = $2`,
    [failure.target, failure.internal_id, failure.status, failure.code, failure.detail],
  );
}

/** The target may show something else than we think: the newest state has to be sent again. */
export async function markDirty(tx: Tx, target: string, internalId: string, doubtMs: number): Promise<void> {
  await tx.query(
    `UPDATE deliveries
        SET dirty_seq = deliveries.dirty_seq + 1, doubt_until = clock_timestamp() + $3 * interval '1 ms',
            status = 'due', updated_at = now()
      WHERE deliveries.target = $1 AND deliveries.internal_id = $2`,
    [target, internalId, doubtMs],
  );
}
