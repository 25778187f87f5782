import { mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLivingProcess, identifyProcess } from './process-identity.js';

/**
 * One run of jest keeps everything that must not outlive it in one folder, named after its own process: the data of
 * its services and one file for each process that it started. A run that was killed leaves the folder, and the next
 * run finds it, ends what is still alive and removes it. Two runs at once leave each other alone.
 */
const runsFolder = join(process.cwd(), '.crosswalk', 'test');

/** Workers inherit the environment of the process that opened the run. */
const variable = 'CROSSWALK_TEST_RUN';

export function openTestRun(): void {
  for (const run of readFolder(runsFolder)) if (findLivingProcess(run) === undefined) clear(join(runsFolder, run));
  const folder = join(runsFolder, identifyProcess(process.pid) ?? 'run');
  mkdirSync(join(folder, 'processes'), { recursive: true });
  process.env[variable] = folder;
}

/** Ends every process that the run still has and removes its folder. Synchronous: it also runs while jest is exiting. */
export function closeTestRun(): void {
  clear(testRunFolder());
}

export function testRunFolder(): string {
  const folder = process.env[variable];
  if (folder !== undefined) return folder;
  throw new Error('No test services run. A suite that needs them belongs into a jest project with `...services`.');
}

/** From now on the run answers for this process: it ends with the run at the latest. */
export function rememberProcess(pid: number): void {
  const identity = identifyProcess(pid);
  if (identity !== undefined) writeFileSync(join(testRunFolder(), 'processes', identity), '');
}

function clear(folder: string): void {
  for (const identity of readFolder(join(folder, 'processes'))) {
    const pid = findLivingProcess(identity);
    // The data goes away with the run, so nobody needs an orderly end.
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }
  removeCluster(join(folder, 'postgres', 'cluster'));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The cluster can be a link to a place outside, when root runs the tests in a private folder. */
function removeCluster(link: string): void {
  try {
    rmSync(realpathSync(link), { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // There is no cluster: the run ended before PostgreSQL was there, or it used a server of somebody else.
  }
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
