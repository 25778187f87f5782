import type { Tx } from '../../platform/database/database.js';

export interface ParkRow {
  readonly key: string;
  readonly fence: string;
  /** The names of what it waits for: any of them will do. */
  readonly waits_for: readonly string[];
  /** Of a state: any of these will do. */
  readonly waits_states: readonly string[] | null;
  readonly code: string;
  readonly detail: string;
}

export interface ParkedRow {
  readonly key: string;
  /** False where it waits again for the very thing that it waited for last. */
  readonly is_news: boolean;
}

/**
 * Parks claimed events under their fences. No attempt is spent, and the deadline is that of the first time: an event
 * that goes from one wait to the next does not wait for ever. A key that is missing was taken over by another worker.
 */
export function parkClaimed(
  tx: Tx,
  rows: readonly ParkRow[],
  parkForMs: number,
  contractNumber: number,
): Promise<ParkedRow[]> {
  // What it waited for last is read from the same row: nobody but the holder of the fence writes it meanwhile.
  return tx.query<ParkedRow>(
    `UPDATE work
        SET status = 'waiting', lease_until = NULL, claims = 0, waits_for = mine.waits_for,
            waits_states = mine.waits_states, waits_contract = $3, reject_reason = mine.code,
            reject_detail = mine.detail, failure_class = NULL,
            waited_for = mine.waits_for || COALESCE(mine.waits_states, '{}'),
            wait_until = COALESCE(work.wait_until, now() + $2 * interval '1 ms')
       FROM jsonb_to_recordset($1::jsonb) AS mine (key text, fence bigint, waits_for text[], waits_states text[],
                                                   code text, detail text)
       JOIN work AS before ON before.kind = 'event' AND before.key = mine.key
      WHERE work.kind = 'event' AND work.key = mine.key AND work.fence = mine.fence AND work.status = 'processing'
     RETURNING work.key, work.waited_for IS DISTINCT FROM before.waited_for AS is_news`,
    [JSON.stringify(rows), parkForMs, contractNumber],
  );
}

/** Ends the wait of whoever waits for one of the named things, in one order. Returns how many they were. */
export async function releaseWaiting(tx: Tx, names: readonly string[]): Promise<number> {
  const rows = await tx.query<{ key: string }>(
    `WITH waiting AS MATERIALIZED (
       SELECT work.kind, work.key FROM work
        WHERE work.status = 'waiting' AND work.waits_for && $1::text[]
        ORDER BY work.kind, work.key
          FOR UPDATE
     )
     UPDATE work SET status = 'due', next_retry_time = now(), wake = nextval('work_wakes'), waits_for = NULL,
                     waits_states = NULL, reject_reason = NULL, reject_detail = NULL
       FROM waiting WHERE work.kind = waiting.kind AND work.key = waiting.key
     RETURNING work.key`,
    [names],
  );
  return rows.length;
}

export interface WaitingRow {
  readonly key: string;
  readonly waits_for: readonly string[];
  readonly waits_states: readonly string[] | null;
  /** The contract by which it was parked. */
  readonly waits_contract: number | null;
}

/** Parked events by key, after a position: to look whether what they wait for has happened. */
export function listWaiting(tx: Tx, after: string, limit: number): Promise<WaitingRow[]> {
  return tx.query<WaitingRow>(
    `SELECT work.key, work.waits_for, work.waits_states, work.waits_contract FROM work
      WHERE work.kind = 'event' AND work.status = 'waiting' AND work.key > $1
      ORDER BY work.key LIMIT $2`,
    [after, limit],
  );
}

/** Parked events whose deadline has passed, locked until the transaction ends; those in other hands are left out. */
export function lockExpired(tx: Tx, limit: number): Promise<WaitingRow[]> {
  return tx.query<WaitingRow>(
    `SELECT work.key, work.waits_for, work.waits_states, work.waits_contract FROM work
      WHERE work.kind = 'event' AND work.status = 'waiting' AND work.wait_until < now()
      ORDER BY work.wait_until LIMIT $1
        FOR UPDATE SKIP LOCKED`,
    [limit],
  );
}

/** Gives up waiting: dead letters that say what they waited for. Hold the rows' locks. */
export function buryWaiting(
  tx: Tx,
  keys: readonly string[],
  code: string,
): Promise<{ key: string; reject_detail: string }[]> {
  return tx.query<{ key: string; reject_detail: string }>(
    `UPDATE work
        SET status = 'dead', dead_at = clock_timestamp(), waits_for = NULL, waits_states = NULL, waited_for = NULL,
            wait_until = NULL, reject_reason = $2, failure_class = 'final',
            reject_detail = 'It waited in vain. ' || COALESCE(work.reject_detail, '')
      WHERE work.kind = 'event' AND work.key = ANY($1::text[]) AND work.status = 'waiting'
     RETURNING work.key, work.reject_detail`,
    [keys, code],
  );
}
