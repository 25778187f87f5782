import { rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import startServices from '../support/start-services.mjs';
import stopServices from '../support/stop-services.mjs';
import { root } from '../../scripts/prepare.mjs';
import { compileFile } from './compile-file.mjs';
import { runTests } from './run-tests.mjs';

/** What no test reads, and what each copy has of its own. */
const LEFT_OUT = new Set(['.git', '.crosswalk', 'node_modules', 'coverage']);

/**
 * Private copies of the tree, on one PostgreSQL and one Redis. The services start once for all runs, so the copies use
 * a configuration without jest's global set-up. The copies go when the process ends, however that comes.
 */
export async function openGuardTrial({ copies, isVerbose }) {
  await startServices();
  const folders = await Promise.all(Array.from({ length: copies }, copyTree));
  const run = (folder, tests) => runTests(folder, tests, isVerbose);
  return {
    /** The tests as they are, all in one run: of those that do not pass, the names of their guards and why. */
    testsThatFailAnyway: async (guards) => {
      const end = await run(
        folders[0],
        guards.map(({ test }) => test),
      );
      const red = guards.flatMap(({ name, test }) => {
        const { passed, failed } = end.countsOf(test);
        if (passed > 0 && failed === 0) return [];
        return [[name, failed > 0 ? end.reasonOf(test) : `There is no test “${test.title}”.`]];
      });
      return new Map(red);
    },
    /** Each guard is out while its own test runs, and back before the next one goes. */
    takeOutEach: async (guards, print) => {
      const left = [...guards];
      const results = [];
      const lane = async (folder) => {
        for (let guard = left.shift(); guard !== undefined; guard = left.shift()) {
          const result = await takeOut(folder, guard, run);
          print(lineOf(guard, result));
          results.push(result);
        }
      };
      await Promise.all(folders.map(lane));
      return results;
    },
    close: stopServices,
  };
}

async function copyTree() {
  const folder = await mkdtemp(join(tmpdir(), 'crosswalk-guards-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const filter = (source) => !LEFT_OUT.has(relative(root, source).split(sep)[0]);
  await cp(root, folder, { recursive: true, filter });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return folder;
}

async function takeOut(folder, guard, run) {
  const startedAt = Date.now();
  const source = join(folder, guard.file);
  const whole = await readFile(source, 'utf8');
  if (whole.split(guard.text).length !== 2) throw new Error(`${guard.name} does not stand once in ${guard.file}.`);
  await writeFile(
    source,
    whole.replace(guard.text, () => guard.replacement),
  );
  await compileFile(folder, guard.file);
  try {
    const end = await run(folder, [guard.test]);
    const { failed } = end.countsOf(guard.test);
    const reason = end.reasonOf(guard.test);
    return { isFound: failed > 0 && !end.isBroken, reason, isBroken: end.isBroken, seconds: secondsSince(startedAt) };
  } finally {
    await writeFile(source, whole);
    await compileFile(folder, guard.file);
  }
}

function lineOf({ name, test }, { isFound, isBroken, reason, seconds }) {
  const verdict = isFound ? 'red' : isBroken ? `BROKEN (${reason})` : 'GREEN';
  const title = test.row === undefined ? test.title : test.title.replace(/%s|\$name/, test.row);
  return `${name} | ${title} | ${verdict} | ${seconds} s`;
}

const secondsSince = (startedAt) => Math.round((Date.now() - startedAt) / 1000);
