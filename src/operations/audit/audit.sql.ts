import type { Tx } from '../../platform/database/database.js';

export interface AuditRow {
  readonly audit_id: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly reason: string;
  readonly correlation_id: string | null;
  /** JSON. */
  readonly before: string | null;
  /** JSON. */
  readonly after: string | null;
}

/** Adds what a person did; in the transaction that does it, so that neither is there without the other. */
export async function insertAudit(tx: Tx, row: AuditRow): Promise<void> {
  await tx.query(
    `INSERT INTO audit (audit_id, actor, action, subject, reason, correlation_id, before, after)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [row.audit_id, row.actor, row.action, row.subject, row.reason, row.correlation_id, row.before, row.after],
  );
}

/** Which rows a list shows; null: any. Ids begin with their time, so the bounds of time are ids. */
export interface AuditFilter {
  readonly actor: string | null;
  readonly action: string | null;
  readonly subject: string | null;
  readonly correlation_id: string | null;
  readonly from: string;
  readonly before: string;
  readonly limit: number;
}

/** Newest first. */
export function listAudit(tx: Tx, filter: AuditFilter): Promise<(AuditRow & { readonly at: string })[]> {
  return tx.query(
    `SELECT audit.audit_id, audit.at, audit.actor, audit.action, audit.subject, audit.reason, audit.correlation_id,
            audit.before, audit.after
       FROM audit
      WHERE audit.audit_id >= $1 AND audit.audit_id < $2
        AND ($3::text IS NULL OR audit.actor = $3)
        AND ($4::text IS NULL OR audit.action = $4)
        AND ($5::text IS NULL OR audit.subject = $5)
        AND ($6::text IS NULL OR audit.correlation_id = $6)
      ORDER BY audit.audit_id DESC LIMIT $7`,
    [filter.from, filter.before, filter.actor, filter.action, filter.subject, filter.correlation_id, filter.limit],
  );
}
