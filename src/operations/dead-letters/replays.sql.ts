import type { Tx } from '../../platform/database/database.js';
import type { LetterPlace } from './dead-letters.sql.js';

/** A replay of many letters at a pace. */
export interface ReplayRow {
  readonly replay_id: string;
  readonly status: 'running' | 'done' | 'cancelled';
  /** JSON of a `LetterFilter`. */
  readonly filter: string;
  /** Letters per second. */
  readonly pace: number;
  readonly reason: string;
  readonly operator: string;
  readonly total: number;
  readonly done: number;
  readonly superseded: number;
  readonly failed: number;
  /** Letters that died later are none of its letters, also where it was this replay that let them die again. */
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly after_dead_at: string | null;
  readonly after_key: string | null;
}

const REPLAY_COLUMNS = `replays.replay_id, replays.status, replays.filter, replays.pace, replays.reason, replays.operator,
  replays.total, replays.done, replays.superseded, replays.failed, replays.started_at, replays.ended_at,
  replays.after_dead_at, replays.after_key`;

export function insertReplay(
  tx: Tx,
  replay: Pick<ReplayRow, 'replay_id' | 'filter' | 'pace' | 'reason' | 'operator' | 'total'>,
): Promise<ReplayRow[]> {
  return tx.query<ReplayRow>(
    `INSERT INTO replays (replay_id, filter, pace, reason, operator, total) VALUES ($1, $2, $3, $4, $5, $6)
     RETURNING ${REPLAY_COLUMNS}`,
    [replay.replay_id, replay.filter, replay.pace, replay.reason, replay.operator, replay.total],
  );
}

export function findReplay(tx: Tx, replayId: string): Promise<ReplayRow[]> {
  return tx.query<ReplayRow>(`SELECT ${REPLAY_COLUMNS} FROM replays WHERE replays.replay_id = $1`, [replayId]);
}

/**
 * Takes the next step of a running replay, for one process alone until the lease is over: a step of a process that was
 * killed is taken again. Zero rows: nothing is due.
 */
export function claimStep(tx: Tx, leaseMs: number): Promise<ReplayRow[]> {
  return tx.query<ReplayRow>(
    `UPDATE replays SET next_step_at = now() + $1 * interval '1 ms'
      WHERE replays.replay_id = (
              SELECT waiting.replay_id FROM replays waiting
               WHERE waiting.status = 'running' AND waiting.next_step_at <= now()
               ORDER BY waiting.next_step_at LIMIT 1
                 FOR UPDATE SKIP LOCKED)
     RETURNING ${REPLAY_COLUMNS}`,
    [leaseMs],
  );
}

/** When the next step is due. Does nothing to a replay that was cancelled. */
export async function scheduleStep(tx: Tx, replayId: string, delayMs: number): Promise<void> {
  await tx.query(
    `UPDATE replays SET next_step_at = now() + $2 * interval '1 ms'
      WHERE replays.replay_id = $1 AND replays.status = 'running'`,
    [replayId, delayMs],
  );
}

/**
 * Remembers how far the replay is; in the transaction that replays the letter. Zero rows: the replay was cancelled, or
 * another process has passed this letter, and nothing may be done to it.
 */
export function advance(tx: Tx, replayId: string, place: LetterPlace): Promise<{ replay_id: string }[]> {
  return tx.query<{ replay_id: string }>(
    `UPDATE replays SET after_dead_at = $2, after_key = $3
      WHERE replays.replay_id = $1 AND replays.status = 'running'
        AND (replays.after_dead_at IS NULL OR (replays.after_dead_at, replays.after_key) < ($2, $3))
     RETURNING replays.replay_id`,
    [replayId, place.dead_at, place.key],
  );
}

/** What became of one letter, or of several. */
export type LetterCount = Pick<ReplayRow, 'done' | 'superseded' | 'failed'>;

/** Counts the letter that was passed, in the same transaction. */
export async function countLetter(tx: Tx, replayId: string, count: LetterCount): Promise<void> {
  await tx.query(
    `UPDATE replays SET done = replays.done + $2, superseded = replays.superseded + $3, failed = replays.failed + $4
      WHERE replays.replay_id = $1`,
    [replayId, count.done, count.superseded, count.failed],
  );
}

/** Ends a running replay; zero rows: it has ended. */
export function endReplay(tx: Tx, replayId: string, status: 'done' | 'cancelled'): Promise<ReplayRow[]> {
  return tx.query<ReplayRow>(
    `UPDATE replays SET status = $2, ended_at = clock_timestamp()
      WHERE replays.replay_id = $1 AND replays.status = 'running'
     RETURNING ${REPLAY_COLUMNS}`,
    [replayId, status],
  );
}
