import type { Tx } from './database.js';

/** The names of the partitions that exist of a partitioned table. */
export async function findPartitionNames(tx: Tx, table: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `SELECT child.relname AS name
       FROM pg_inherits
       JOIN pg_class child ON child.oid = pg_inherits.inhrelid
      WHERE pg_inherits.inhparent = to_regclass($1)`,
    [table],
  );
  return rows.map((row) => row.name);
}

/**
 * Makes one partition. It is filled out as a table of its own and then attached, because attaching does not wait for
 * those who are writing into the other partitions. Run under the partition lock: two makers would collide.
 */
export async function createPartition(
  tx: Tx,
  partition: { readonly table: string; readonly name: string; readonly from: string; readonly to: string },
): Promise<void> {
  const { table, name, from, to } = partition;
  await tx.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)`);
  await tx.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`);
}
