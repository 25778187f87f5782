import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { rememberProcess, testRunFolder } from '../support/test-run.js';

describe('embedded PostgreSQL', () => {
  let dataFolder: string;
  let reports: string[];
  let folders: string[];

  beforeAll(async () => {
    folders = [];
    dataFolder = await newFolder();
  });

  beforeEach(() => {
    reports = [];
  });

  afterAll(async () => {
    for (const folder of folders) {
      const cluster = await readlink(join(folder, 'cluster')).catch(() => undefined);
      if (cluster !== undefined) await rm(cluster, { recursive: true, force: true });
    }
  });

  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(testRunFolder(), 'embedded-'));
    folders.push(folder);
    return folder;
  }

  async function start(folder = dataFolder): ReturnType<typeof startEmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ dataFolder: folder, report: (progress) => reports.push(progress) });
    rememberProcess(await readServerPid(folder));
    return server;
  }

  async function readServerPid(folder = dataFolder): Promise<number> {
    return Number.parseInt(await readFile(lockFileIn(folder), 'utf8'), 10);
  }

  const lockFileIn = (folder: string): string => join(folder, 'cluster', 'data', 'postmaster.pid');

  test('keeps its data and its port between two starts', async () => {
    const first = await start();
    await query(first.url, 'CREATE TABLE kept (id int)');
    await first.stop();
    const second = await start();
    expect(await query(second.url, 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 0 }]);
    expect(second.url).toBe(first.url);
    expect(reports).toEqual([expect.stringContaining('Creating'), 'Starting PostgreSQL', 'Starting PostgreSQL']);
    await second.stop();
  });

  test('is durable, sorts by code point and lives in UTC', async () => {
    const server = await start();
    const sql = `SELECT current_setting('fsync') AS fsync, current_setting('timezone') AS timezone,
                        pg_encoding_to_char(encoding) AS encoding, datcollate AS collation
                   FROM pg_database WHERE datname = current_database()`;
    expect(await query(server.url, sql)).toEqual([{ fsync: 'on', timezone: 'UTC', encoding: 'UTF8', collation: 'C' }]);
    await server.stop();
  });

  test('three starts at the same moment end in one server', async () => {
    const folder = await newFolder();
    const servers = await Promise.all([start(folder), start(folder), start(folder)]);
    expect(new Set(servers.map(({ url }) => url)).size).toBe(1);
    for (const server of servers) await server.stop();
    await expect(readServerPid(folder)).rejects.toThrow('ENOENT');
  });

  test('a server that runs already is joined and not stopped', async () => {
    const owner = await start();
    const guest = await start();
    await guest.stop();
    expect(await query(guest.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await owner.stop();
  });

  test('a server that was killed is started again', async () => {
    await start();
    process.kill(await readServerPid(), 'SIGKILL');
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('a lock file that names a stranger is no obstacle', async () => {
    await (await start()).stop();
    await writeFile(lockFileIn(dataFolder), `${process.pid}\n/somewhere/else\n1\n1\n\n127.0.0.1\n  1 1\nready   \n`);
    const server = await start();
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await server.stop();
  });

  test('a start that fails says why and what to do', async () => {
    await (await start()).stop();
    await rm(join(dataFolder, 'cluster', 'data', 'PG_VERSION'));
    await expect(start()).rejects.toThrow(/PostgreSQL did not start:[^]*not a database cluster[^]*DATABASE_URL/);
  });
});

async function query(connectionString: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
