import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresAccount } from './postgres-account.js';

const execute = promisify(execFile);

/** The folder of PostgreSQL's programs and the account that they run as. */
export interface PostgresPrograms {
  readonly binaries: string;
  readonly account: PostgresAccount;
}

/**
 * Runs `initdb` or `pg_ctl` and resolves when it ends well; otherwise rejects with what it printed. The environment
 * is made new: PGDATA, PGPORT, PGOPTIONS or a locale of the caller must change nothing.
 */
export async function runPostgresProgram(
  { account, binaries }: PostgresPrograms,
  program: 'initdb' | 'pg_ctl',
  args: readonly string[],
): Promise<void> {
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, LC_ALL: 'C', TZ: 'UTC', ...(SystemRoot === undefined ? {} : { SystemRoot }) };
  try {
    await execute(join(binaries, 'bin', program), args, { ...account, cwd: '/', env });
  } catch (cause) {
    const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string };
    throw new Error(`PostgreSQL's ${program} failed: ${`${stdout}${stderr}`.trim() || message}`, { cause });
  }
}
