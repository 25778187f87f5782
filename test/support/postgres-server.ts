import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { openPostgresCluster } from '../../src/platform/database/embedded-postgres/postgres-cluster.js';
import { runPostgresProgram } from '../../src/platform/database/embedded-postgres/run-postgres-program.js';
import { rememberProcess, testRunFolder } from './test-run.js';

/** A PostgreSQL of one's own, to be restarted while others work with it; a few seconds until it stands. */
export interface PostgresServer {
  /** Its database, empty at first; on the same port after every restart. */
  readonly url: string;
  /** Ends every session at once, as a crash would, and comes back by recovery; resolves when it takes connections. */
  restartImmediately(): Promise<void>;
  /** Stops it for a moment and copies its files, as a backup does. The returned function puts them back, later. */
  backUp(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const dataFolder = mkdtempSync(join(testRunFolder(), 'postgres-'));
  const server = await startEmbeddedPostgres({ dataFolder, report: () => undefined });
  const { url } = server;
  const cluster = await openPostgresCluster(dataFolder, () => undefined);
  const data = join(cluster.folder, 'data');
  // The run ends whatever the suite forgets.
  const remember = (): void => {
    rememberProcess(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10));
  };
  remember();
  const control = async (action: 'start' | 'stop' | 'restart', ...args: readonly string[]): Promise<void> => {
    await runPostgresProgram(cluster, 'pg_ctl', [action, '-D', data, '-w', '-t', '60', ...args]);
    if (action !== 'stop') remember();
  };
  const toStart = ['-l', join(cluster.folder, 'server.log'), '-o', `-p ${new URL(url).port}`];
  return {
    url,
    restartImmediately: () => control('restart', '-m', 'immediate', ...toStart),
    backUp: async () => {
      const copy = `${data}.copy`;
      await control('stop', '-m', 'fast');
      await copyWithOwner(data, copy);
      await control('start', ...toStart);
      return async () => {
        await control('stop', '-m', 'immediate');
        await rm(data, { recursive: true });
        await copyWithOwner(copy, data);
        await control('start', ...toStart);
      };
    },
    stop: async () => {
      await server.stop();
      await rm(cluster.folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses files that are not its own. */
async function copyWithOwner(from: string, to: string): Promise<void> {
  await execute('cp', ['-a', from, to]);
}

const execute = promisify(execFile);
