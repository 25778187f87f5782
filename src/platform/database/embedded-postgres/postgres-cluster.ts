import { randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { preparePlaceForEveryUser } from './place-for-every-user.js';
import { canReach, choosePostgresAccount } from './postgres-account.js';
import { locatePostgresBinaries } from './postgres-binaries.js';
import { runPostgresProgram } from './run-postgres-program.js';
import type { PostgresPrograms } from './run-postgres-program.js';

/** One PostgreSQL installation: `folder` holds `data`, the `password` of its only user and `server.log`. */
export interface PostgresCluster extends PostgresPrograms {
  readonly folder: string;
  readonly password: string;
}

export const POSTGRES_USER = 'crosswalk';

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=200',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_checkpoints=off',
];

/**
 * The cluster of this data folder, made on first use. It lies in `<dataFolder>/cluster`; where PostgreSQL's account
 * cannot go there, that name is a link to a place where it can.
 */
export async function openPostgresCluster(
  dataFolder: string,
  report: (progress: string) => void,
): Promise<PostgresCluster> {
  const link = join(dataFolder, 'cluster');
  await makeFolder(dataFolder);
  const account = await choosePostgresAccount(join(link, 'data'));
  const binaries = await locatePostgresBinaries(account);
  if (!(await isPresent(link))) {
    report(`Creating a PostgreSQL database in ${dataFolder} (a few seconds, once)`);
    await createCluster(link, dataFolder, { account, binaries });
  }
  const folder = await realpath(link);
  return { folder, account, binaries, password: await readPassword(folder) };
}

/**
 * Everything is made aside and put in place by one step that cannot overwrite: of two processes that start at the
 * same moment the second uses what the first made, and a creation cut short is never taken for a cluster.
 */
async function createCluster(link: string, dataFolder: string, programs: PostgresPrograms): Promise<void> {
  const isReachable = await canReach(programs.account, dataFolder);
  const place = isReachable ? dataFolder : await preparePlaceForEveryUser();
  const folder = await mkdtemp(join(place, 'cluster.'));
  try {
    await fillCluster(folder, programs);
    await (isReachable ? rename(folder, link) : symlink(folder, link));
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    if (!(await isPresent(link))) throw error;
  }
}

async function fillCluster(folder: string, programs: PostgresPrograms): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (programs.account !== undefined) {
    for (const path of [folder, passwordFile]) await chown(path, programs.account.uid, programs.account.gid);
  }
  await runPostgresProgram(programs, 'initdb', [
    `--pgdata=${join(folder, 'data')}`,
    `--username=${POSTGRES_USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    ...SETTINGS.map((setting) => `--set=${setting}`),
  ]);
}

async function makeFolder(dataFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true }).catch((cause: unknown) => {
    throw new Error(
      `The folder ${dataFolder} for the database cannot be made. ` +
        `Set CROSSWALK_DATA to a folder that you may write to, or DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  });
}

async function readPassword(folder: string): Promise<string> {
  return readFile(join(folder, 'password'), 'utf8').catch((cause: unknown) => {
    throw new Error(
      `The password of the database in ${folder} cannot be read. Start Crosswalk as the user who made it, or as root.`,
      { cause },
    );
  });
}

/** A link whose target is gone is an error, and not an invitation to begin again with an empty database. */
async function isPresent(link: string): Promise<boolean> {
  const entry = await lstat(link).catch(() => undefined);
  if (entry === undefined) return false;
  await realpath(link).catch((cause: unknown) => {
    throw new Error(
      `${link} points to a folder that is gone. Bring it back, or delete the link to begin with an empty database.`,
      { cause },
    );
  });
  return true;
}
