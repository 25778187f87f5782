import { randomBytes } from 'node:crypto';
import { eventually } from './eventually.js';
import { databaseUrl, runOnServer, templateDatabase } from './template-database.js';

/** A migrated database of one suite, a copy of the run's template. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it. Rejects, after dropping it all the same, when somebody still holds a connection to it. */
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `crosswalk_test_${randomBytes(6).toString('hex')}`;
  await runOnServer(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase()}`);
  return { url: databaseUrl(name), drop: async () => drop(name) };
}

async function drop(name: string): Promise<void> {
  try {
    // A server process needs a moment to notice that its client has gone.
    await eventually(async () => refuseConnections(name), { deadlineMs: 30_000 });
  } finally {
    await runOnServer(`DROP DATABASE ${name} WITH (FORCE)`);
  }
}

async function refuseConnections(name: string): Promise<void> {
  const open = await runOnServer<{ application: string; state: string; query: string }>(
    `SELECT activity.application_name AS application, activity.state, left(activity.query, 200) AS query
       FROM pg_stat_activity AS activity
      WHERE activity.datname = $1 AND activity.backend_type = 'client backend'`,
    [name],
  );
  if (open.length === 0) return;
  const list = open.map(({ application, state, query }) => `  ${application || '(unnamed)'}, ${state}: ${query}`);
  throw new Error(`The suite leaves ${open.length} connection(s) to its database open:\n${list.join('\n')}`);
}
