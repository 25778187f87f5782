import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** How to call a redis-server: the command and what its environment needs. */
export interface RedisProgram {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

const cacheFolder = join(process.cwd(), '.crosswalk', 'cache');

/**
 * A real redis-server: the one on the PATH, or else Debian's packages unpacked into `.crosswalk/cache` without
 * installing them. Where neither works the tests fail and say how to get one; they are never skipped.
 */
export async function findRedisProgram(): Promise<RedisProgram> {
  const onPath: RedisProgram = { command: 'redis-server', env: {} };
  if (await works(onPath)) return onPath;
  const folder = join(cacheFolder, 'redis');
  if (await works(await unpackedIn(folder))) return unpackedIn(folder);
  try {
    await unpackDebianPackages(folder);
  } catch (cause) {
    throw new Error(
      `The tests need a real Redis. Install one so that redis-server is on the PATH (Debian: apt-get install ` +
        `redis-server, macOS: brew install redis), or set TEST_REDIS_URL to a Redis that may be emptied. ` +
        `Unpacking Debian's package did not work: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  return unpackedIn(folder);
}

async function works({ command, env }: RedisProgram): Promise<boolean> {
  return execute(command, ['--version'], { env: { ...process.env, ...env } }).then(
    () => true,
    () => false,
  );
}

async function unpackedIn(folder: string): Promise<RedisProgram> {
  const machineFolders = await readdir(join(folder, 'usr', 'lib')).catch(() => []);
  const libraries = ['', ...machineFolders].map((name) => join(folder, 'usr', 'lib', name));
  return { command: join(folder, 'usr', 'bin', 'redis-server'), env: { LD_LIBRARY_PATH: libraries.join(':') } };
}

/** Unpacked aside and renamed, so that two suites that need it at the same moment do not meet in half a folder. */
async function unpackDebianPackages(folder: string): Promise<void> {
  await mkdir(cacheFolder, { recursive: true });
  const unfinished = await mkdtemp(join(cacheFolder, 'redis.'));
  try {
    await download(unfinished);
    const archives = (await readdir(unfinished)).filter((name) => name.endsWith('.deb'));
    for (const archive of archives) await execute('dpkg', ['-x', join(unfinished, archive), unfinished]);
    if (!(await works(await unpackedIn(unfinished)))) throw new Error('the unpacked redis-server does not start');
    await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder).catch(async () => works(await unpackedIn(folder)));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function download(into: string): Promise<void> {
  try {
    await downloadWith([], into);
  } catch {
    // The package lists are missing or old. Fresh ones in a folder of our own need no rights and change no system.
    const lists = join(cacheFolder, 'apt');
    await mkdir(join(lists, 'lists', 'partial'), { recursive: true });
    const options = ['-o', `Dir::State::Lists=${join(lists, 'lists')}`, '-o', `Dir::Cache=${lists}`];
    await execute('apt-get', ['update', ...options]);
    await downloadWith(options, into);
  }
}

/** apt's own simulation names what this machine lacks; redis-tools is named as well because it holds the binary. */
async function downloadWith(options: readonly string[], into: string): Promise<void> {
  const simulation = ['install', '--simulate', '--no-install-recommends', 'redis-server'];
  const { stdout } = await execute('apt-get', [...options, ...simulation]);
  const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map((match) => match[1] ?? '');
  const packages = new Set(['redis-server', 'redis-tools', ...missing]);
  await execute('apt-get', [...options, 'download', ...packages], { cwd: into });
}
