import type { Tx } from './database.js';

/** Any two constants will do, as long as nothing else uses them. */
const MIGRATION_LOCK = 4_120_240_315;
const PARTITION_LOCK = 4_120_240_316;

/** Waits until nobody else migrates; a session holds it over a series of transactions and its end releases it. */
export const TAKE_MIGRATION_LOCK = `SELECT pg_advisory_lock(${String(MIGRATION_LOCK)})`;

/** Waits until nobody else makes partitions; held until the transaction ends. */
export async function takePartitionLock(tx: Tx): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(${String(PARTITION_LOCK)})`);
}
