import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { startRedis } from './redis-server.js';
import { createTemplateDatabase, dropTemplateDatabase } from './template-database.js';
import { closeTestRun, openTestRun, rememberProcess, testRunFolder } from './test-run.js';

/**
 * Starts what all suites share, once for a whole run of jest: one PostgreSQL with a migrated template database, and
 * one Redis. The suites find them in TEST_DATABASE_URL and TEST_REDIS_URL; whoever sets these brings servers of
 * their own.
 */
export async function startTestServices(): Promise<void> {
  openTestRun();
  endWithJest();
  process.env['TEST_DATABASE_URL'] ??= await startPostgres();
  process.env['TEST_REDIS_URL'] ??= (await startRedis()).url;
  await createTemplateDatabase();
}

/** Ends what `startTestServices` started, and whatever process a suite forgot. */
export async function stopTestServices(): Promise<void> {
  await dropTemplateDatabase();
  closeTestRun();
}

async function startPostgres(): Promise<string> {
  const dataFolder = join(testRunFolder(), 'postgres');
  const { url } = await startEmbeddedPostgres({ dataFolder, report: () => undefined });
  const lockFile = readFileSync(join(dataFolder, 'cluster', 'data', 'postmaster.pid'), 'utf8');
  rememberProcess(Number.parseInt(lockFile, 10));
  return url;
}

/**
 * Ctrl-C and a set-up that fails end jest without its tear-down. The handlers stay: a second signal must not cut
 * the clearing short.
 */
function endWithJest(): void {
  process.on('exit', closeTestRun);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
}
