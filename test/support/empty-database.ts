import { randomBytes } from 'node:crypto';
import { databaseUrl, runOnServer } from './template-database.js';
import type { TestDatabase } from './test-database.js';

/** A database without anything in it, for the suites about how it gets its tables. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = `crosswalk_empty_${randomBytes(6).toString('hex')}`;
  await runOnServer(`CREATE DATABASE ${name}`);
  return {
    url: databaseUrl(name),
    drop: async () => {
      await runOnServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}
