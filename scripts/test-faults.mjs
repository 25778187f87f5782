import { fail, prepare } from './prepare.mjs';
import { runJest } from './run-jest.mjs';

/**
 * `npm run test:faults` runs the whole fault suite. With `--seed N` or `--events N` it is the long run alone, so that
 * one that failed can be repeated: events and faults come from the seed. Anything else goes to jest.
 */
const VARIABLES = { '--seed': 'FAULTS_SEED', '--events': 'FAULTS_EVENTS' };
const rest = [];
let isLongRun = false;
const args = process.argv.slice(2).flatMap((argument) => argument.split('='));
for (let at = 0; at < args.length; at++) {
  const variable = VARIABLES[args[at]];
  if (variable === undefined) {
    rest.push(args[at]);
    continue;
  }
  const value = args[++at];
  if (!/^[1-9]\d*$/.test(value ?? '')) fail(`${args[at - 1]} takes a whole number from 1, not ${value ?? 'nothing'}.`);
  process.env[variable] = value;
  isLongRun = true;
}

await prepare().catch(fail);
const selection = isLongRun ? ['--testPathPatterns', 'faults/long-run\\.test'] : [];
process.exitCode = await runJest(['--selectProjects', 'faults', ...selection, ...rest]);
