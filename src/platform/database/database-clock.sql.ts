import type { Tx } from './database.js';

/** The database's time in microseconds since 1970. */
export async function readClock(tx: Tx): Promise<bigint> {
  const [row] = await tx.query<{ micros: bigint }>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS micros`,
  );
  if (row === undefined) throw new Error('The database did not tell its time.');
  return row.micros;
}
