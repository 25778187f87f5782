import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { POSTGRES_USER } from './postgres-cluster.js';
import type { PostgresCluster } from './postgres-cluster.js';

/** Crash recovery after a long run takes seconds; a server that is silent for longer needs a person. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * The address of the server that runs on this cluster, or undefined when none does. A server that is starting is
 * waited for. The password is random and the cluster's own, so whoever accepts it is the right server.
 */
export async function findRunningPostgres(cluster: PostgresCluster): Promise<string | undefined> {
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  for (;;) {
    const lock = await readLockFile(cluster);
    if (lock === undefined || !(await isServerAlive(cluster, lock))) return undefined;
    const url = `postgres://${POSTGRES_USER}:${cluster.password}@127.0.0.1:${lock.port}/postgres`;
    const refusal = await tryToConnect(url);
    if (refusal === undefined) return url;
    if (Date.now() > deadline) throw describeSilence(cluster, lock, refusal);
    await delay(50);
  }
}

interface LockFile {
  readonly pid: number;
  readonly dataFolder: string;
  readonly port: number;
}

const lockFileOf = (cluster: PostgresCluster): string => join(cluster.folder, 'data', 'postmaster.pid');

async function readLockFile(cluster: PostgresCluster): Promise<LockFile | undefined> {
  const text = await readFile(lockFileOf(cluster), 'utf8').catch(() => '');
  const [pid, dataFolder, , port] = text.split('\n');
  if (pid === undefined || dataFolder === undefined || port === undefined) return undefined;
  return { pid: Number(pid), dataFolder, port: Number(port) };
}

/**
 * After a power failure the number in the lock file can belong to any program, and PostgreSQL would refuse to start
 * for ever if that program runs as the same user. Where the system tells what the process is (Linux), such a lock
 * file is removed. Should that ever hit a live server, its shared memory still keeps a second one out.
 */
async function isServerAlive(cluster: PostgresCluster, { pid, dataFolder }: LockFile): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (commandLine === undefined || commandLine.includes(dataFolder)) return true;
  await rm(lockFileOf(cluster), { force: true });
  return false;
}

async function tryToConnect(connectionString: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function describeSilence(cluster: PostgresCluster, { pid, port }: LockFile, cause: Error): Error {
  return new Error(
    `Process ${pid} holds the database in ${cluster.folder} but does not answer on port ${port} ` +
      `(${cause.message}). If it is a PostgreSQL server, end it; if it is not, delete ${lockFileOf(cluster)}.`,
    { cause },
  );
}
