import type { Tx } from '../../platform/database/database.js';
import type { DeadLetter } from './dead-letter.js';

/** The letter with this key. Events go by their ids and deliveries by `target:internal id`, so no key is both. */
export function findDeadLetter(tx: Tx, key: string): Promise<DeadLetter[]> {
  return tx.query<DeadLetter>(
    `SELECT work.kind, work.key, work.topic, work.event_id, work.internal_id, work.reject_reason, work.reject_detail,
            work.failure_class, work.retry_count, work.dead_at, work.wake, work.fence
       FROM work WHERE work.kind IN ('event', 'delivery') AND work.key = $1 AND work.status = 'dead'`,
    [key],
  );
}

/**
 * Makes a letter due at once, with all its attempts before it. Only the letter that was looked at: zero rows mean that
 * somebody else replayed or closed it, or that newer work took its place, also where it died once more since.
 */
export function reviveDeadLetter(tx: Tx, letter: DeadLetter): Promise<{ wake: bigint }[]> {
  return tx.query<{ wake: bigint }>(
    `UPDATE work
        SET status = 'due', next_retry_time = now(), retry_count = 0, claims = 0, wake = nextval('work_wakes'),
            retry_interval_ms = 0, reject_reason = NULL, reject_detail = NULL, failure_class = NULL, waits_for = NULL,
            wait_until = NULL, dead_at = NULL
      WHERE work.kind = $1 AND work.key = $2 AND work.status = 'dead' AND work.wake = $3 AND work.fence = $4
     RETURNING work.wake`,
    [letter.kind, letter.key, String(letter.wake), String(letter.fence)],
  );
}

/** Keeps a letter for the caller's transaction alone. Zero rows as above. */
export function lockDeadLetter(tx: Tx, letter: DeadLetter): Promise<{ key: string }[]> {
  return tx.query<{ key: string }>(
    `SELECT work.key FROM work
      WHERE work.kind = $1 AND work.key = $2 AND work.status = 'dead' AND work.wake = $3 AND work.fence = $4
        FOR UPDATE`,
    [letter.kind, letter.key, String(letter.wake), String(letter.fence)],
  );
}

/** Ends a letter for good. Zero rows as above. */
export function endDeadLetter(tx: Tx, letter: DeadLetter): Promise<{ key: string }[]> {
  return tx.query<{ key: string }>(
    `DELETE FROM work
      WHERE work.kind = $1 AND work.key = $2 AND work.status = 'dead' AND work.wake = $3 AND work.fence = $4
     RETURNING work.key`,
    [letter.kind, letter.key, String(letter.wake), String(letter.fence)],
  );
}
