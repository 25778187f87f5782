import { newDataSource } from './data-source.js';
import { Database } from './database.js';

/** No work is claimed here; it only bounds how long a transaction may stand still. */
const LEASE_MS = 60_000;

/** Runs `work` on a small pool of its own, for what comes before the application or needs none. */
export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const dataSource = await newDataSource({ url, leaseMs: LEASE_MS, poolSize: 2 }).initialize();
  try {
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
