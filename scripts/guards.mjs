import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GROUPS, GUARDS } from '../test/guards/guards.mjs';
import { guardsPage } from '../test/guards/guards-page.mjs';
import { openGuardTrial } from '../test/guards/guard-trial.mjs';
import { fail, installIfNeeded, requireNode, root } from './prepare.mjs';

/**
 * `npm run guards` takes the guards of the program out, one after the other, each in a private copy of the tree, and
 * expects the test that the list names to turn red. A guard that can be taken out unseen ends it with 1.
 */
const USAGE = 'npm run guards -- [--list] [--write] [--only NAME] [--verbose] [--at-once N]';
const options = readOptions(process.argv.slice(2));

if (options.list) for (const { name, promise } of chosen()) console.log(`${name}: ${promise}`);
else if (options.write) await writeFile(join(root, 'docs', 'guards.md'), guardsPage(GROUPS));
else await tryGuards(chosen());

function readOptions(args) {
  const read = { list: false, write: false, verbose: false, only: undefined, atOnce: 1 };
  for (let at = 0; at < args.length; at++) {
    const [option, value = undefined] = args[at].split(/=(.*)/s);
    if (option === '--list') read.list = true;
    else if (option === '--write') read.write = true;
    else if (option === '--verbose') read.verbose = true;
    else if (option === '--only') read.only = value ?? args[++at];
    else if (option === '--at-once') read.atOnce = Number(value ?? args[++at]);
    else fail(`There is no ${option}. ${USAGE}`);
  }
  if (!Number.isInteger(read.atOnce) || read.atOnce < 1) fail(`--at-once takes a whole number from 1. ${USAGE}`);
  return read;
}

function chosen() {
  const found = GUARDS.filter(({ name }) => options.only === undefined || name.includes(options.only));
  return found.length > 0 ? found : fail(`No guard is called ${options.only}; --list names them.`);
}

async function tryGuards(guards) {
  requireNode();
  await installIfNeeded().catch(fail);
  const trial = await openGuardTrial({ copies: options.atOnce, isVerbose: options.verbose }).catch(fail);
  try {
    // A test that is red with its guard proves nothing without it.
    const red = await trial.testsThatFailAnyway(guards);
    for (const [name, reason] of red) console.log(`${name} | RED ANYWAY | ${reason}`);
    const results = await trial.takeOutEach(
      guards.filter(({ name }) => !red.has(name)),
      (line) => console.log(line),
    );
    const found = results.filter(({ isFound }) => isFound).length;
    console.log(`${guards.length} guards, ${found} found`);
    if (found < guards.length) process.exitCode = 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    await trial.close();
  }
}
