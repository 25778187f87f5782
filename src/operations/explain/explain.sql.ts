import type { Tx } from '../../platform/database/database.js';

/** Questions looked through, newest first: what nobody answered long ago says little about today's keys. */
const QUESTIONS_MAX = 1_000;

/** How often a key of this source and event type was used for other content, among the newest questions. */
export async function countKeyConflicts(tx: Tx, source: string, eventType: string): Promise<number> {
  const [row] = await tx.query<{ conflicts: number }>(
    `SELECT count(*)::integer AS conflicts
       FROM (
         SELECT conflicts.kind, conflicts.event_id
           FROM conflicts ORDER BY conflicts.conflict_id DESC LIMIT ${String(QUESTIONS_MAX)}
       ) newest
       JOIN events ON events.event_id = newest.event_id
      WHERE newest.kind = 'key' AND events.source = $1 AND events.event_type = $2`,
    [source, eventType],
  );
  return row?.conflicts ?? 0;
}

/** Events looked through, newest first. */
const EVENTS_MAX = 200;

/** Keys under which the same content about the same record came before. */
export async function findOtherKeys(
  tx: Tx,
  event: {
    readonly source: string;
    readonly event_type: string;
    readonly system: string;
    readonly entity_type: string;
    readonly external_id: string;
    readonly fingerprint: string;
    readonly idempotency_key: string;
  },
): Promise<string[]> {
  const rows = await tx.query<{ idempotency_key: string }>(
    `SELECT DISTINCT events.idempotency_key
       FROM (
         SELECT trace.event_id
           FROM mappings JOIN trace ON trace.internal_id = mappings.internal_id
          WHERE mappings.system = $3 AND mappings.entity_type = $4 AND mappings.external_id = $5
          ORDER BY trace.event_id DESC LIMIT ${String(EVENTS_MAX)}
       ) recent
       JOIN events ON events.event_id = recent.event_id
      WHERE events.source = $1 AND events.event_type = $2 AND events.fingerprint = $6
        AND events.idempotency_key <> $7`,
    [
      event.source,
      event.event_type,
      event.system,
      event.entity_type,
      event.external_id,
      event.fingerprint,
      event.idempotency_key,
    ],
  );
  return rows.map((row) => row.idempotency_key);
}
