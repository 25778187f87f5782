import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findRunningPostgres } from './embedded-postgres/find-running-postgres.js';
import { openPostgresCluster } from './embedded-postgres/postgres-cluster.js';
import type { PostgresCluster } from './embedded-postgres/postgres-cluster.js';
import { runPostgresProgram } from './embedded-postgres/run-postgres-program.js';
import { freeLoopbackPort } from './free-loopback-port.js';

/** A real PostgreSQL server from npm's binaries, for a machine that has none. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** Fast shutdown of a server that this call started; a server that ran before is left alone. May be called twice. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Keeps the database between starts. */
  readonly dataFolder: string;
  readonly report: (progress: string) => void;
}

/** Another program can take the free port before the server does, or another process can start the same server. */
const START_ATTEMPTS_MAX = 3;

/** The last processes of a server that was killed hold its port and its memory for a moment. */
const PAUSE_BETWEEN_ATTEMPTS_MS = 300;

/**
 * Starts the server of this data folder on a free port of 127.0.0.1, or joins the one that already runs: another
 * Crosswalk process has it, or ours was killed and it lives on. Every failure says what to do.
 *
 * Safe to call from several processes at once: creation is put in place by one rename, and PostgreSQL's own lock
 * file lets one server in; who comes second joins it.
 */
export async function startEmbeddedPostgres({
  dataFolder,
  report,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openPostgresCluster(resolve(dataFolder), report);
  let failure: unknown;
  for (let attempt = 1; attempt <= START_ATTEMPTS_MAX; attempt += 1) {
    const runningUrl = await findRunningPostgres(cluster);
    if (runningUrl !== undefined) return { url: runningUrl, stop: async () => Promise.resolve() };
    try {
      return await startServer(cluster, report);
    } catch (error) {
      failure = error;
      await delay(PAUSE_BETWEEN_ATTEMPTS_MS);
    }
  }
  throw failure;
}

async function startServer(cluster: PostgresCluster, report: (progress: string) => void): Promise<EmbeddedPostgres> {
  report('Starting PostgreSQL');
  const log = join(cluster.folder, 'server.log');
  const port = await freeLoopbackPort(await readLastPort(cluster));
  await rm(log, { force: true });
  try {
    // pg_ctl gives the server a session of its own, so that Ctrl-C stops Crosswalk first and the database after it.
    await runPostgresProgram(cluster, 'pg_ctl', [...pgCtl(cluster, 'start'), '-l', log, '-o', `-p ${port}`]);
  } catch (cause) {
    throw await describeFailedStart(log, cause);
  }
  const url = await findRunningPostgres(cluster);
  if (url === undefined) throw await describeFailedStart(log, undefined);
  let stopping: Promise<void> | undefined;
  return { url, stop: async () => (stopping ??= stopServer(cluster)) };
}

async function stopServer(cluster: PostgresCluster): Promise<void> {
  try {
    await runPostgresProgram(cluster, 'pg_ctl', [...pgCtl(cluster, 'stop'), '-m', 'fast']);
  } catch (error) {
    if ((await findRunningPostgres(cluster)) !== undefined) throw error;
  }
}

function pgCtl(cluster: PostgresCluster, action: 'start' | 'stop'): string[] {
  return [action, '-D', join(cluster.folder, 'data'), '-w', '-t', '60'];
}

/**
 * The same port at every start, where possible: people keep it in the settings of their database tools. PostgreSQL
 * itself notes the arguments of its last start.
 */
async function readLastPort(cluster: PostgresCluster): Promise<number> {
  const lastArguments = await readFile(join(cluster.folder, 'data', 'postmaster.opts'), 'utf8').catch(() => '');
  return Number(/"-p" "(\d+)"/.exec(lastArguments)?.[1] ?? 0);
}

async function describeFailedStart(log: string, cause: unknown): Promise<Error> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).trim().split('\n');
  const reason = lines.slice(-10).join('\n') || (cause instanceof Error ? cause.message : 'it ended at once');
  return new Error(
    `PostgreSQL did not start:\n${reason}\nIts log is ${log}. Set DATABASE_URL to use another PostgreSQL server.`,
    { cause },
  );
}
