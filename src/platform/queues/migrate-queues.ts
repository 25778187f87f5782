import { runMigrations } from 'bullmq';
import type { ClientBase } from 'pg';

/** Makes the tables of BullMQ's PostgreSQL backend, in their own schema. Does nothing where they are up to date. */
export async function migrateQueues(client: ClientBase): Promise<void> {
  await runMigrations(client);
}
