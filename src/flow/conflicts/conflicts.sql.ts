import type { Tx } from '../../platform/database/database.js';
import type { Conflict, ConflictKind } from './conflict.js';

export interface NewConflictRow {
  readonly conflict_id: string;
  readonly kind: ConflictKind;
  readonly subject: string;
  readonly system: string | null;
  readonly entity_type: string | null;
  readonly external_id: string | null;
  readonly internal_id: string | null;
  readonly event_id: string | null;
  readonly candidates: string;
}

/** Records open questions; one that was already asked is not asked twice. */
export async function insertConflictsIfAbsent(tx: Tx, rows: readonly NewConflictRow[]): Promise<void> {
  await tx.query(
    `INSERT INTO conflicts (conflict_id, kind, subject, system, entity_type, external_id, internal_id, event_id,
                            candidates)
     SELECT row.conflict_id, row.kind, row.subject, row.system, row.entity_type, row.external_id, row.internal_id,
            row.event_id, row.candidates
       FROM jsonb_to_recordset($1::jsonb) AS row (conflict_id uuid, kind text, subject text, system text,
            entity_type text, external_id text, internal_id uuid, event_id uuid, candidates text)
      ORDER BY row.kind, row.subject
     ON CONFLICT (kind, subject) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}

/** Conflicts, newest first, before a position. */
export function findConflicts(
  tx: Tx,
  filter: {
    readonly status: string;
    readonly kind: string | null;
    readonly before: string | null;
    readonly limit: number;
  },
): Promise<Conflict[]> {
  return tx.query<Conflict>(
    `SELECT conflicts.conflict_id, conflicts.kind, conflicts.subject, conflicts.status, conflicts.system,
            conflicts.entity_type, conflicts.external_id, conflicts.internal_id, conflicts.event_id,
            conflicts.candidates, conflicts.created_at
       FROM conflicts
      WHERE conflicts.status = $1 AND ($2::text IS NULL OR conflicts.kind = $2)
        AND ($3::uuid IS NULL OR conflicts.conflict_id < $3)
      ORDER BY conflicts.conflict_id DESC LIMIT $4`,
    [filter.status, filter.kind, filter.before, filter.limit],
  );
}
