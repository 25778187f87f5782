import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What `eventually` waits at most: far above what a test takes, and most tests that turn red wait for nothing else. */
const PATIENCE_MS = 15_000;

/** A removal that breaks the program shows nothing about the promise; PostgreSQL and Node say so in these words. */
const BROKEN =
  /syntax error at|could not determine data type|bind message supplies|is not defined|is not a function|SyntaxError|Cannot find module|Test environment has been torn down/;

/** Runs these tests, and no others, in a copy of the tree. */
export async function runTests(folder, tests, isVerbose) {
  const report = join(folder, '.guards-report.json');
  await rm(report, { force: true });
  const args = [
    // A test that fails may leave something open that would keep jest from ending.
    ...['--config', 'test/guards/jest.config.mjs', '--forceExit', '--json', '--outputFile', report],
    ...['--testPathPatterns', [...new Set(tests.map(({ file }) => `/${escaped(file)}$`))].join('|')],
    ...['-t', [...new Set(tests.map(namePattern))].join('|')],
  ];
  const output = await runJest(folder, args);
  if (isVerbose) process.stderr.write(output);
  const text = await readFile(report, 'utf8').catch(() => {
    throw new Error(`Jest gave no report:\n${output}`);
  });
  return endOf(folder, JSON.parse(text).testResults);
}

/** What became of the tests, by the names that jest gives them. */
function endOf(folder, results) {
  const of = (test) => {
    const pattern = new RegExp(namePattern(test));
    const suites = results.filter(({ name }) => name === join(folder, test.file));
    return suites.flatMap(({ assertionResults }) => assertionResults.filter(({ fullName }) => pattern.test(fullName)));
  };
  const messages = results.flatMap(({ message, assertionResults }) => [
    message,
    ...assertionResults.flatMap(({ failureMessages }) => failureMessages),
  ]);
  return {
    isBroken: messages.some((message) => BROKEN.test(message)),
    countsOf: (test) => {
      const count = (status) => of(test).filter((each) => each.status === status).length;
      return { passed: count('passed'), failed: count('failed') };
    },
    reasonOf: (test) =>
      of(test)
        .flatMap(({ failureMessages }) => failureMessages)[0]
        ?.split('\n')[0] ?? '',
  };
}

/** The full name of a test ends with its title; a placeholder of `test.each` stands for anything. */
function namePattern({ title, row, suite }) {
  const filled = row === undefined ? title : title.replace(/%s|\$name/, () => row);
  const pattern = filled
    .split(/%[sd]|\$name/)
    .map(escaped)
    .join('.*');
  return `${suite === undefined ? '(^|.* )' : `^${escaped(suite)} `}${pattern}$`;
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function runJest(folder, args) {
  const nodeOptions = [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const env = { ...process.env, NODE_OPTIONS: nodeOptions.filter(Boolean).join(' '), TEST_PATIENCE_MS: PATIENCE_MS };
  return new Promise((resolve, reject) => {
    const jest = join(folder, 'node_modules', 'jest', 'bin', 'jest.js');
    const child = spawn(process.execPath, [jest, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
    // Whoever ends the trial ends what it started.
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('error', reject);
    child.once('close', () => {
      process.off('exit', end);
      resolve(output);
    });
  });
}
