import pg from 'pg';
import { migrateQueues } from '../queues/migrate-queues.js';
import { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';
import { newDataSource } from './data-source.js';
import { ensureDayPartitions } from './day-partitions.js';
import { TAKE_MIGRATION_LOCK } from './migration-lock.sql.js';

const LEASE_MS = 60_000;

/**
 * Brings a database to the newest schema: our migrations, the tables of the queue's PostgreSQL backend, and the
 * partitions for the days to come. Several processes may call it at once; one works and the others wait.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
  const lock = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  lock.on('error', () => undefined);
  await lock.connect();
  try {
    await lock.query(TAKE_MIGRATION_LOCK);
    await migrateQueues(lock);
    return await runOurMigrations(databaseUrl);
  } finally {
    await lock.end();
  }
}

async function runOurMigrations(databaseUrl: string): Promise<readonly string[]> {
  const dataSource = await newDataSource({ url: databaseUrl, leaseMs: LEASE_MS, poolSize: 2 }).initialize();
  try {
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    const database = new Database(dataSource);
    const clock = new DatabaseClock(database);
    await clock.synchronize();
    await ensureDayPartitions(database, clock.nowMs());
    return ran.map((migration) => migration.name);
  } finally {
    await dataSource.destroy();
  }
}
