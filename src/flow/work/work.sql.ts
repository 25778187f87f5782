import type { FailureClass } from '../../domain/failure-class.js';
import type { Tx } from '../../platform/database/database.js';

export interface ClaimRow {
  readonly key: string;
  readonly topic: string;
  readonly internal_id: string | null;
  readonly fence: bigint;
  readonly retry_count: number;
  readonly retry_interval_ms: number;
  readonly reject_reason: string | null;
  readonly claims: number;
  readonly claimed_at: string;
}

export type WorkKind = 'event' | 'delivery';

const CLAIM_COLUMNS = `work.key, work.topic, work.internal_id, work.fence, work.retry_count,
  work.retry_interval_ms, work.reject_reason, work.claims, clock_timestamp() AS claimed_at`;

/**
 * Claims due work of a kind, oldest first. Rows that another worker is claiming at this moment are skipped; zero rows
 * mean that nothing is due.
 */
export function claimDue(tx: Tx, kind: WorkKind, limit: number, leaseMs: number): Promise<ClaimRow[]> {
  return tx.query<ClaimRow>(
    `WITH chosen AS (
       SELECT work.kind, work.key FROM work
        WHERE work.kind = $1 AND work.status = 'due' AND work.next_retry_time <= now()
        ORDER BY work.next_retry_time LIMIT $2
          FOR UPDATE SKIP LOCKED
     )
     UPDATE work SET status = 'processing', fence = nextval('work_fences'), lease_until = now() + $3 * interval '1 ms'
       FROM chosen WHERE work.kind = chosen.kind AND work.key = chosen.key
     RETURNING ${CLAIM_COLUMNS}`,
    [kind, limit, leaseMs],
  );
}

/** Claims one named piece of work if it is due. Zero rows: it is done, dead, not yet due, or somebody has it. */
export function claimByKey(tx: Tx, kind: WorkKind, key: string, leaseMs: number): Promise<ClaimRow[]> {
  return tx.query<ClaimRow>(
    `UPDATE work SET status = 'processing', fence = nextval('work_fences'), lease_until = now() + $3 * interval '1 ms'
      WHERE work.kind = $1 AND work.key = $2 AND work.status = 'due' AND work.next_retry_time <= now()
     RETURNING ${CLAIM_COLUMNS}`,
    [kind, key, leaseMs],
  );
}

/**
 * Takes over one piece of work whose lease has run out: alone, so that work which kills its worker does not take its
 * neighbours along. The fence grows, and the former owner can change nothing any more.
 */
export function takeOverExpired(tx: Tx, kind: WorkKind, leaseMs: number, topic: string | null): Promise<ClaimRow[]> {
  return tx.query<ClaimRow>(
    `WITH chosen AS (
       SELECT work.kind, work.key FROM work
        WHERE work.kind = $1 AND work.status = 'processing' AND work.lease_until < now()
          AND ($3::text IS NULL OR work.topic = $3)
        ORDER BY work.lease_until LIMIT 1
          FOR UPDATE SKIP LOCKED
     )
     UPDATE work SET fence = nextval('work_fences'), claims = work.claims + 1, lease_until = now() + $2 * interval '1 ms'
       FROM chosen WHERE work.kind = chosen.kind AND work.key = chosen.key
     RETURNING ${CLAIM_COLUMNS}`,
    [kind, leaseMs, topic],
  );
}

/** One take-over less, where it is still ours. */
export async function forgiveTakeOver(
  tx: Tx,
  kind: WorkKind,
  claim: { readonly key: string; readonly fence: bigint },
): Promise<void> {
  await tx.query(
    `UPDATE work SET claims = GREATEST(0, work.claims - 1)
      WHERE work.kind = $1 AND work.key = $2 AND work.fence = $3 AND work.status = 'processing'`,
    [kind, claim.key, String(claim.fence)],
  );
}

/** Keys of a target's due deliveries that are late by a period: the alarm was lost, or there never was one. */
export async function findOverdueDeliveries(tx: Tx, target: string, lateMs: number, limit: number): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(
    `SELECT work.key FROM work
      WHERE work.kind = 'delivery' AND work.topic = $1 AND work.status = 'due'
        AND work.next_retry_time <= now() - $2 * interval '1 ms'
      ORDER BY work.next_retry_time LIMIT $3`,
    [target, lateMs, limit],
  );
  return rows.map((row) => row.key);
}

/**
 * Ends work under its fence. Returns the keys that were ended; a key that is missing was taken over by another worker,
 * and whatever else this transaction did for it must be undone.
 */
export async function deleteClaimed(
  tx: Tx,
  kind: WorkKind,
  claims: readonly { readonly key: string; readonly fence: bigint }[],
): Promise<string[]> {
  const rows = await tx.query<{ key: string }>(
    `DELETE FROM work
      USING unnest($2::text[], $3::bigint[]) AS mine (key, fence)
      WHERE work.kind = $1 AND work.key = mine.key AND work.fence = mine.fence AND work.status = 'processing'
     RETURNING work.key`,
    [kind, claims.map(({ key }) => key), claims.map(({ fence }) => String(fence))],
  );
  return rows.map((row) => row.key);
}

/** Puts claimed work back under its fence, with a later due time. Zero rows: the lease was lost. */
export function rescheduleClaimed(
  tx: Tx,
  work: {
    readonly kind: WorkKind;
    readonly key: string;
    readonly fence: bigint;
    readonly delayMs: number;
    readonly attempts: number;
    readonly code: string | null;
    readonly detail: string | null;
    readonly failureClass: FailureClass | null;
  },
): Promise<{ wake: bigint }[]> {
  return tx.query<{ wake: bigint }>(
    `UPDATE work
        SET status = 'due', lease_until = NULL, claims = 0, wake = nextval('work_wakes'), retry_count = $5,
            next_retry_time = now() + $4 * interval '1 ms', retry_interval_ms = $4, reject_reason = $6,
            reject_detail = $7, failure_class = $8, waited_for = NULL
      WHERE work.kind = $1 AND work.key = $2 AND work.fence = $3 AND work.status = 'processing'
     RETURNING work.wake`,
    [work.kind, work.key, String(work.fence), work.delayMs, work.attempts, work.code, work.detail, work.failureClass],
  );
}

/** Gives claimed work up, under its fence: a dead letter. Zero rows: the lease was lost. */
export function buryClaimed(
  tx: Tx,
  work: {
    readonly kind: WorkKind;
    readonly key: string;
    readonly fence: bigint;
    readonly attempts: number;
    readonly code: string;
    readonly detail: string;
    readonly failureClass: FailureClass;
  },
): Promise<{ key: string }[]> {
  return tx.query<{ key: string }>(
    `UPDATE work
        SET status = 'dead', dead_at = clock_timestamp(), lease_until = NULL, wait_until = NULL, retry_count = $4,
            reject_reason = $5, reject_detail = $6, failure_class = $7, waited_for = NULL
      WHERE work.kind = $1 AND work.key = $2 AND work.fence = $3 AND work.status = 'processing'
     RETURNING work.key`,
    [work.kind, work.key, String(work.fence), work.attempts, work.code, work.detail, work.failureClass],
  );
}

export interface ArmRow {
  readonly key: string;
  readonly topic: string;
  readonly internal_id: string;
}

export interface ArmedRow {
  readonly key: string;
  readonly topic: string;
  readonly wake: bigint;
}

/**
 * Asks for deliveries. Work that failed keeps its time (a target that is down is not hurried), work in progress sees
 * the newer revision when it ends; a dead letter, and work that only waits to send the same once more, becomes due now.
 * Returns what needs an alarm now: rows that are new or became due.
 */
export function armDeliveries(tx: Tx, rows: readonly ArmRow[]): Promise<ArmedRow[]> {
  return tx.query<ArmedRow>(
    `INSERT INTO work (kind, key, topic, internal_id)
     SELECT 'delivery', row.key, row.topic, row.internal_id
       FROM jsonb_to_recordset($1::jsonb) AS row (key text, topic text, internal_id uuid)
      ORDER BY row.key
     ON CONFLICT (kind, key) DO UPDATE
        SET status = 'due', retry_count = 0, next_retry_time = now(), wake = nextval('work_wakes'), reject_reason = NULL,
            reject_detail = NULL, failure_class = NULL, retry_interval_ms = 0, dead_at = NULL, claims = 0
      WHERE work.status = 'dead'
         OR (work.status = 'due' AND work.reject_reason IS NULL AND work.next_retry_time > now())
     RETURNING work.key, work.topic, work.wake`,
    [JSON.stringify(rows)],
  );
}

/**
 * Prolongs leases that have not run out, under their fences, and returns the claims that are no longer in these hands:
 * `lost` to a lease that ran out or to another worker, or `ended` by now. Rows that are locked at this moment are being
 * ended; they are passed over, so that a beat waits for nobody and no worker waits in a circle with it.
 */
export function prolongClaims(
  tx: Tx,
  claims: readonly { readonly kind: WorkKind; readonly key: string; readonly fence: bigint }[],
  leaseMs: number,
): Promise<{ at: number; end: 'lost' | 'ended' }[]> {
  return tx.query(
    `WITH mine AS (
       SELECT asked.kind, asked.key, asked.fence, asked.position::integer - 1 AS at
         FROM unnest($1::text[], $2::text[], $3::bigint[]) WITH ORDINALITY AS asked (kind, key, fence, position)
     ), held AS MATERIALIZED (
       SELECT work.kind, work.key FROM work JOIN mine USING (kind, key)
        WHERE work.fence = mine.fence AND work.status = 'processing' AND work.lease_until > now()
          FOR UPDATE OF work SKIP LOCKED
     ), prolonged AS (
       UPDATE work SET lease_until = now() + $4 * interval '1 ms'
         FROM held WHERE work.kind = held.kind AND work.key = held.key
     )
     SELECT mine.at,
            CASE WHEN work.status = 'processing' AND (work.fence = mine.fence OR work.claims > 0) THEN 'lost'
                 ELSE 'ended' END AS end
       FROM mine LEFT JOIN work USING (kind, key)
      WHERE NOT COALESCE(work.fence = mine.fence AND work.status = 'processing' AND work.lease_until > now(), false)`,
    [claims.map(({ kind }) => kind), claims.map(({ key }) => key), claims.map(({ fence }) => String(fence)), leaseMs],
  );
}
