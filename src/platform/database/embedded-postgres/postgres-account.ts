import { execFile, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The operating-system user that PostgreSQL runs as: `undefined` means this process's own. */
export type PostgresAccount = { readonly uid: number; readonly gid: number } | undefined;

const execute = promisify(execFile);

/**
 * PostgreSQL refuses to run as root. So as root the owner of the existing files is taken, or else the user
 * `postgres`, made where it does not exist; everybody else runs the server as themselves.
 */
export async function choosePostgresAccount(dataFolder: string): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  if (owner !== undefined) return { uid: owner.uid, gid: owner.gid };
  return (await findUser('postgres')) ?? (await createUser('postgres'));
}

/** Whether the account can read and enter the path, judged by trying: every parent's mode and access list counts. */
export async function canReach(account: PostgresAccount, path: string): Promise<boolean> {
  if (account === undefined) return true;
  const test = 'test -r "$1" && test -x "$1"';
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', test, 'sh', path], { ...account, cwd: '/', stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

async function findUser(name: string): Promise<PostgresAccount> {
  try {
    const [uid, gid] = await Promise.all([execute('id', ['-u', name]), execute('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createUser(name: string): Promise<PostgresAccount> {
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/bin/false'];
  const cause: unknown = await execute('useradd', [...options, name]).catch((error: unknown) => error);
  const account = await findUser(name);
  if (account !== undefined) return account;
  throw new Error(
    `PostgreSQL cannot run as root, and the user "${name}" to run it as could not be made. ` +
      `Create that user, or start Crosswalk as an ordinary user, or set DATABASE_URL to a server that already runs.`,
    { cause },
  );
}
