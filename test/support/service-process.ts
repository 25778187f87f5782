import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { freeLoopbackPort } from '../../src/platform/database/free-loopback-port.js';
import { eventually } from './eventually.js';
import { rememberProcess, testRunFolder } from './test-run.js';

/** Crosswalk as its users run it: a process of its own, reached over HTTP. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  /** What it has written so far, standard output and standard error in order of arrival. */
  output(): string;
  /** Asks it to end (SIGTERM) and resolves to its exit code; rejects when it is still there after 90 seconds. */
  stop(): Promise<number>;
  /** Sends a signal. SIGKILL resolves when the process is gone; SIGSTOP and SIGCONT freeze and thaw it. */
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Longer than a start on a machine that is busy with other things, and than the grace that a service ends with. */
const PATIENCE_MS = 90_000;

export interface ServiceOptions {
  /** DATABASE_URL, REDIS_URL, CROSSWALK_CONFIG …; each service gets a CROSSWALK_DATA of its own unless given here. */
  readonly env: Readonly<Record<string, string>>;
  readonly role?: 'api' | 'worker' | 'all';
}

/** Starts `dist/service/main.js` on a free port and waits until it is ready; rejects with its output when it does not come up. */
export async function startService({ env, role = 'all' }: ServiceOptions): Promise<ServiceProcess> {
  const port = await freeLoopbackPort();
  const url = `http://127.0.0.1:${port}`;
  const child = launch({
    CROSSWALK_DATA: mkdtempSync(join(testRunFolder(), 'service-')),
    ...env,
    ROLE: role,
    PORT: String(port),
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => chunks.push(String(chunk)));
  const output = (): string => chunks.join('');
  try {
    await waitUntilReady(child, url);
  } catch (cause) {
    child.kill('SIGKILL');
    throw new Error(`The service did not become ready (${String(cause)}). Its output:\n${output()}`, { cause });
  }
  return {
    url,
    pid: child.pid ?? 0,
    output,
    stop: async () => stop(child, output),
    kill: async (signal) => kill(child, signal),
  };
}

/** The variables of whoever runs the tests must not leak in: a DATABASE_URL of theirs would be written to. */
function launch(variables: Record<string, string>): ChildProcess {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, NODE_ENV: 'test', ...variables };
  const main = join(process.cwd(), 'dist', 'service', 'main.js');
  const child = spawn(process.execPath, ['--enable-source-maps', main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.on('error', () => undefined);
  if (child.pid !== undefined) rememberProcess(child.pid);
  return child;
}

/** A process that has ended is an answer, and not something to wait for. */
async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  const end = await eventually(
    async () => {
      if (hasEnded(child)) return `it ended with ${child.signalCode ?? `code ${child.exitCode}`}`;
      const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) });
      if (answer.status === 200) return undefined;
      throw new Error(`/health/ready answers ${answer.status}: ${await answer.text()}`);
    },
    { deadlineMs: PATIENCE_MS, everyMs: 25 },
  );
  if (end !== undefined) throw new Error(end);
}

async function stop(child: ChildProcess, output: () => string): Promise<number> {
  if (!hasEnded(child)) {
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) });
    child.kill('SIGTERM');
    await ended.catch((cause: unknown) => {
      child.kill('SIGKILL');
      throw new Error(`The service did not end within 90 seconds of SIGTERM. Its output:\n${output()}`, { cause });
    });
  }
  return child.exitCode ?? -1;
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = signal === 'SIGKILL' ? once(child, 'exit') : undefined;
  child.kill(signal);
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
