/**
 * What has to be true before anything of Crosswalk runs: a Node that is new enough, the packages of the lock file,
 * a build of the sources as they are. Each step looks first and does nothing when nothing is to be done, so a
 * second start costs milliseconds. Plain Node: when this runs, node_modules may not exist.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const compiledFolders = ['src', 'migrations', 'config', 'examples', 'bench', 'test/support'];
const buildStamp = join(root, 'dist', '.built-from');

/** Everything at once: afterwards `dist/` holds the program and its packages are there. */
export async function prepare() {
  requireNode();
  await installIfNeeded();
  await buildIfNeeded();
}

/** Runs a compiled file of `dist/` in this very process, so that signals and the exit code need no forwarding. */
export async function runBuilt(file) {
  const main = join(root, 'dist', file);
  process.argv[1] = main;
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(main).href);
}

/** Ends the process with a sentence, where an older Node would end with a syntax error deep in some package. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Crosswalk needs Node 20.19 or newer, and this is Node ${process.versions.node}. Install a newer Node and try again.`,
  );
}

export async function installIfNeeded() {
  if (await areInstalledPackagesThoseOfTheLockFile()) return;
  await withProgress('Installing packages (about a minute, once)', () =>
    run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'], {
      shell: process.platform === 'win32',
    }),
  );
}

/** Builds unless `dist/` was made from exactly these files: paths, sizes and times are compared, not only the newest. */
export async function buildIfNeeded() {
  const sources = await fingerprintSources();
  if ((await readFile(buildStamp, 'utf8').catch(() => '')) === sources) return;
  await build(sources);
}

/**
 * Compiles into `dist/`, whose layout is that of the repository: `src/cli.ts` becomes `dist/src/cli.js`. The service is
 * put together into `dist/service/main.js`.
 */
export async function build(sources) {
  const stamp = sources ?? (await fingerprintSources());
  await rm(buildStamp, { force: true });
  await withProgress('Building', async () => {
    await removeOutputsWithoutSource();
    await run(process.execPath, [
      join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...['-p', 'tsconfig.build.json', '--incremental', '--tsBuildInfoFile', 'dist/.tsbuildinfo'],
    ]);
    await copyJson();
    await bundle(root);
  });
  await writeFile(buildStamp, stamp);
}

/** Runs a command with its output shown; rejects with what failed, in words. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.once('error', (error) => reject(new Error(`${command} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`\`${command} ${args.join(' ')}\` ended with ${signal ?? `code ${code}`}; its output is above.`),
        );
    });
  });
}

/** For the top of a script: a failure is one sentence and a non-zero exit code, not a stack of our own frames. */
export function fail(reason) {
  console.error(`\n${reason instanceof Error ? reason.message : reason}`);
  process.exit(1);
}

/** npm keeps its own account of what it put into node_modules; it is missing while and after an install was cut short. */
async function areInstalledPackagesThoseOfTheLockFile() {
  const readPackages = async (file) => JSON.parse(await readFile(join(root, file), 'utf8')).packages;
  const installed = await readPackages('node_modules/.package-lock.json').catch(() => undefined);
  if (installed === undefined) return false;
  const locked = Object.entries(await readPackages('package-lock.json'));
  return locked.every(([path, { version, optional, devOptional, peer }]) => {
    if (path === '' || installed[path]?.version === version) return true;
    return installed[path] === undefined && (optional || devOptional || peer) === true;
  });
}

async function fingerprintSources() {
  const hash = createHash('sha256');
  const files = [];
  for (const folder of compiledFolders) files.push(...(await listFiles(join(root, folder))));
  for (const name of await readdir(root)) if (/^tsconfig.*\.json$/.test(name)) files.push(join(root, name));
  // What is bundled, and how.
  files.push(join(root, 'package-lock.json'), join(root, 'scripts', 'bundle.mjs'));
  for (const file of files.sort()) {
    const { size, mtimeMs } = await stat(file);
    hash.update(`${relative(root, file)}\n${size}\n${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The output of a deleted source would still be found by whoever imports or globs it. */
async function removeOutputsWithoutSource() {
  for (const folder of compiledFolders) {
    const sources = new Set((await listFiles(join(root, folder))).map((file) => relative(root, file)));
    for (const file of await listFiles(join(root, 'dist', folder))) {
      const output = relative(join(root, 'dist'), file);
      if (sources.has(output) || sources.has(output.replace(/\.js(\.map)?$/, '.ts'))) continue;
      await rm(file);
    }
  }
}

async function copyJson() {
  for (const folder of compiledFolders) {
    for (const file of await listFiles(join(root, folder))) {
      if (!file.endsWith('.json')) continue;
      const target = join(root, 'dist', relative(root, file));
      await mkdir(dirname(target), { recursive: true });
      await cp(file, target);
    }
  }
}

async function listFiles(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** A line at once and one every ten seconds: silence reads as a hang. */
async function withProgress(what, work) {
  const startedAt = Date.now();
  const seconds = () => Math.round((Date.now() - startedAt) / 1000);
  console.log(`${what} …`);
  const ticker = setInterval(() => console.log(`  … still at it (${seconds()} s)`), 10_000);
  try {
    await work();
  } finally {
    clearInterval(ticker);
  }
  console.log(`  done (${seconds()} s)`);
}
