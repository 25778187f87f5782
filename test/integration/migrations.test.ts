import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { ALL_MIGRATIONS } from '../../migrations/all-migrations.js';
import { Database } from '../../src/platform/database/database.js';
import { newDataSource } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { describeSchema } from '../support/describe-schema.js';
import { createEmptyDatabase } from '../support/empty-database.js';
import { suiteResources } from '../support/suite-resources.js';

const execute = promisify(execFile);
const names = ALL_MIGRATIONS.map(({ name }) => name);

describe('migrations', () => {
  const closeLater = suiteResources();

  async function emptyDatabase(): Promise<{ url: string; dataSource: DataSource; schema: () => Promise<string> }> {
    const storage = await createEmptyDatabase();
    closeLater(async () => storage.drop());
    const { url } = storage;
    const dataSource = await newDataSource({ url, leaseMs: 60_000, poolSize: 1 }).initialize();
    closeLater(async () => dataSource.destroy());
    return { url, dataSource, schema: async () => describeSchema(new Database(dataSource)) };
  }

  test('go up, each down again in reverse, and up to the same schema', async () => {
    const { url, dataSource, schema } = await emptyDatabase();
    expect(await migrate(url)).toEqual(names);
    const first = await schema();
    const schemas = [first];
    for (let undone = 0; undone < names.length; undone++) {
      await dataSource.undoLastMigration({ transaction: 'each' });
      schemas.push(await schema());
    }
    // Each step takes something away, and the last one everything: no table, type or function is left behind.
    expect(new Set(schemas).size).toBe(schemas.length);
    expect(schemas.at(-1)).toBe('');
    expect(
      await dataSource.query(
        `SELECT relname FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND relname <> 'migrations'`,
      ),
    ).toEqual([]);
    expect(await migrate(url)).toEqual(names);
    expect(await schema()).toBe(first);
  });

  test('run once when two processes migrate at the same time', async () => {
    const { url, schema } = await emptyDatabase();
    const program = join(process.cwd(), 'dist', 'src', 'migrate.js');
    const env = { ...process.env, DATABASE_URL: url };
    const outputs = await Promise.all(
      [1, 2].map(async () => (await execute(process.execPath, [program], { env })).stdout),
    );
    expect(outputs.sort()).toEqual([`Ran ${names.join(', ')}.\n`, 'The schema is up to date.\n']);
    expect(await schema()).toContain('CREATE TABLE events');
  });

  test('do nothing where the schema is up to date, and keep what is in it', async () => {
    const { url, dataSource } = await emptyDatabase();
    await migrate(url);
    await dataSource.query(`INSERT INTO work (kind, key, topic) VALUES ('event', 'kept', 'crm')`);
    expect(await migrate(url)).toEqual([]);
    expect(await dataSource.query('SELECT key FROM work')).toEqual([{ key: 'kept' }]);
  });
});
