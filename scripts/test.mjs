import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail, prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';

/** `npm test` runs everything but the long suites, `npm run test:all` (`--all`) those as well; the rest goes to jest. */
const args = process.argv.slice(2);
const areAllWanted = args.includes('--all');
const jestArgs = args.filter((argument) => argument !== '--all');
// Properties are tried oftener.
if (areAllWanted) process.env.CROSSWALK_TEST_ALL = '1';

await prepare().catch(fail);
const folder = await mkdtemp(join(tmpdir(), 'crosswalk-test-'));
const summaryFile = join(folder, 'summary.json');
const selection = areAllWanted ? [] : ['--ignoreProjects', 'long'];
process.exitCode = await runJest(['--json', `--outputFile=${summaryFile}`, ...jestArgs, ...selection]);
await printTotals();
await rm(folder, { recursive: true, force: true });

/** One line that people and machines read alike. A file that could not even be loaded counts as a failure. */
async function printTotals() {
  const summary = await readFile(summaryFile, 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const failed = summary === undefined ? 1 : summary.numFailedTests + summary.numRuntimeErrorTestSuites;
  const passed = summary?.numPassedTests ?? 0;
  const skipped = summary?.numPendingTests ?? 0;
  if (passed + failed === 0 || (process.exitCode === 0 && failed > 0)) process.exitCode = 1;
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
