/**
 * `npm run bench`: Crosswalk against the blog-post way on one PostgreSQL of its own, in turn, as ratios (README.md).
 * Exit code 0: every target is reached; 1: one is not, or the bench failed; 130: interrupted.
 */
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import { benchGuard } from './bench-guard.js';
import { ChildProcesses } from './child-processes.js';
import { Databases } from './databases.js';
import { readOptions, type Options } from './options.js';
import { playRound, type Ground, type Round } from './play-round.js';
import { compareRounds } from './report/compare-rounds.js';
import { formatComparisons } from './report/format-comparisons.js';

const ROUNDS = 2;
/** Above this something else works here, and what it takes away differs from turn to turn. */
const QUIET_LOAD = 0.7;
/** Seen from the compiled file, in dist/bench. */
const BENCH_FOLDER = fileURLToPath(new URL('../../.crosswalk/bench', import.meta.url));
const POSTGRES = 'postgres';
const INTERRUPTED = 130;

/** What must be undone at the end, newest first, however the end comes. */
const undo: (() => Promise<void>)[] = [];
const interruption = new AbortController();

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interruption.abort();
    void cleanUp().finally(() => process.exit(INTERRUPTED));
  });
}

try {
  const areTargetsReached = await bench(readOptions(process.argv.slice(2)));
  process.exitCode = areTargetsReached ? 0 : 1;
} catch (error) {
  // An interruption ends the children first, and what then fails is not worth a word.
  if (!interruption.signal.aborted) {
    report(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
} finally {
  if (!interruption.signal.aborted) await cleanUp();
}

async function bench(options: Options): Promise<boolean> {
  const loadBefore = loadavg()[0] ?? 0;
  if (loadBefore > QUIET_LOAD) report(`the machine is busy (load ${loadBefore.toFixed(1)}): the ratios will be rough`);
  const ground = await prepareGround();
  if (options.only === 'guard') {
    process.stdout.write(`\n${await benchGuard(ground, options.seconds, (step) => undo.push(step))}\n`);
    return true;
  }
  const rounds: Round[] = [];
  for (let number = 1; number <= ROUNDS; number++) rounds.push(await playRound(ground, number, options));

  const comparisons = compareRounds(rounds);
  const postgres = await ground.databases.serverVersion();
  const machine = { cores: availableParallelism(), loadBefore, node: process.version, postgres };
  const file = join(BENCH_FOLDER, 'latest.json');
  const content = { measuredAt: new Date().toISOString(), options, machine, comparisons, rounds };
  await writeFile(file, `${JSON.stringify(content, null, 2)}\n`);

  if (comparisons.length > 0) process.stdout.write(`\n${formatComparisons(comparisons)}\n\n`);
  else process.stdout.write('\nOne contender alone gives no ratio, so no figure is printed.\n');
  process.stdout.write(`Everything measured: ${file}\n`);
  return comparisons.every(({ target }) => target?.isReached ?? true);
}

async function prepareGround(): Promise<Ground> {
  const folder = join(BENCH_FOLDER, `run-${String(process.pid)}`);
  await mkdir(folder, { recursive: true });
  undo.push(() => remove(folder));

  const starting = startEmbeddedPostgres({ dataFolder: join(folder, POSTGRES), report });
  // Registered before it has started: an interruption in between must not leave a server behind.
  const stopped = starting.then(
    (server) => () => server.stop(),
    () => () => Promise.resolve(),
  );
  undo.push(async () => (await stopped)());
  const postgres = await starting;
  const databases = await Databases.open(postgres.url);
  undo.push(() => databases.close());

  const children = new ChildProcesses();
  undo.push(() => children.endAll());
  return { children, databases, folder, report };
}

async function cleanUp(): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    // One step that fails must not keep the next ones from being taken.
    await step().catch((error: unknown) => {
      report(`while cleaning up: ${error instanceof Error ? error.message : String(error)}`);
    });
  }
}

async function remove(folder: string): Promise<void> {
  // Where PostgreSQL's account may not enter this folder, the cluster is a link to a place elsewhere.
  const cluster = await realpath(join(folder, POSTGRES, 'cluster')).catch(() => folder);
  for (const place of [cluster, folder]) await rm(place, { recursive: true, force: true });
}

/** Progress goes to stderr, so that stdout holds the result alone. */
function report(line: string): void {
  process.stderr.write(`bench: ${line}\n`);
}
