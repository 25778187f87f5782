import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Program {
  /** How messages name it. */
  readonly name: string;
  readonly file: URL;
  readonly args?: readonly string[];
  /** The whole environment besides PATH, HOME, NODE_ENV and NO_COLOR: a developer's own settings must not reach a contender. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface StartedProgram {
  /** Resolves with everything that it printed when it ends by itself with code 0; rejects when it ends otherwise. */
  readonly output: Promise<string>;
  /** What it has said so far, shortened: the beginning of stderr and the end of stdout. */
  lastWords(): string;
  end(): Promise<void>;
}

interface Said {
  stdout: string;
  stderr: string;
}

const END_WITHIN_MS = 10_000;
const SHOWN_CHARACTERS = 3000;

/** The Node processes that the bench started. Each is ended by its own id, on success, on failure and on Ctrl-C. */
export class ChildProcesses {
  private readonly running = new Set<ChildProcess>();

  constructor() {
    // The last net: whatever ends this process, also an exit hook of a library, takes the children along.
    process.once('exit', () => {
      for (const child of this.running) child.kill('SIGKILL');
    });
  }

  start(program: Program): StartedProgram {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, [fileURLToPath(program.file), ...(program.args ?? [])], {
      env: { PATH, HOME, NODE_ENV: 'production', NO_COLOR: '1', ...program.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.running.add(child);
    const said: Said = { stdout: '', stderr: '' };
    const output = this.outputOf(program.name, child, said);
    // An end that nobody waits for yet is not an unhandled rejection; whoever awaits `output` still sees it.
    output.catch(() => undefined);
    return { output, lastWords: () => wordsOf(said), end: () => endProcess(child) };
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.running].map(endProcess));
  }

  private outputOf(name: string, child: ChildProcess, said: Said): Promise<string> {
    return new Promise((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        said.stdout = (said.stdout + chunk.toString()).slice(-SHOWN_CHARACTERS);
      });
      child.stderr?.on('data', (chunk: Buffer) => {
        said.stderr = (said.stderr + chunk.toString()).slice(0, SHOWN_CHARACTERS);
      });
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.running.delete(child);
        if (code === 0) resolve(said.stdout);
        else reject(new Error(`${name} ended (${signal ?? `code ${String(code)}`}). ${wordsOf(said)}`));
      });
    });
  }
}

function wordsOf({ stdout, stderr }: Said): string {
  return `${stderr}${stdout}`.trim();
}

/** Asks the process to end, and insists when it has not ended in time. */
async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
  await ended;
  clearTimeout(insist);
}
