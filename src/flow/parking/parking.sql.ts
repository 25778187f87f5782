import type { Tx } from '../../platform/database/database.js';

/** Takes the locks of names until the transaction ends, in one order everywhere. Two names rarely share a lock. */
export async function lockNames(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(locks.number)
       FROM (SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest($1::text[]) AS name ORDER BY number) locks`,
    [names],
  );
}
