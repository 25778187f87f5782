import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';

/** Where the name of the migrated database stands that every suite gets a copy of. */
const variable = 'CROSSWALK_TEST_TEMPLATE';

/** Makes the template of this run of jest and migrates it, once. */
export async function createTemplateDatabase(): Promise<void> {
  const name = `crosswalk_template_${randomBytes(6).toString('hex')}`;
  await runOnServer(`CREATE DATABASE ${name}`);
  process.env[variable] = name;
  await migrate(databaseUrl(name));
}

export async function dropTemplateDatabase(): Promise<void> {
  const name = process.env[variable];
  if (name !== undefined) await runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

export function templateDatabase(): string {
  const name = process.env[variable];
  if (name !== undefined) return name;
  throw new Error('There is no template database. A suite that needs one belongs into a project with `...services`.');
}

export function databaseUrl(name: string): string {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

/** One statement on the server's own database, over a connection of its own. */
export async function runOnServer<Row extends pg.QueryResultRow>(sql: string, values: string[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
