import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
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
  stop(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const dataFolder = mkdtempSync(join(testRunFolder(), 'postgres-'));
  const { url, stop } = await startEmbeddedPostgres({ dataFolder, report: () => undefined });
  const cluster = await openPostgresCluster(dataFolder, () => undefined);
  const data = join(cluster.folder, 'data');
  // The run ends whatever the suite forgets.
  const remember = (): void => {
    rememberProcess(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10));
  };
  remember();
  return {
    url,
    restartImmediately: async () => {
      const log = join(cluster.folder, 'server.log');
      const { port } = new URL(url);
      const args = ['restart', '-D', data, '-m', 'immediate', '-w', '-t', '60', '-l', log, '-o', `-p ${port}`];
      await runPostgresProgram(cluster, 'pg_ctl', args);
      remember();
    },
    stop: async () => {
      await stop();
      await rm(cluster.folder, { recursive: true, force: true });
    },
  };
}
