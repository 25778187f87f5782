import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/**
 * Runs jest with these arguments and resolves to its exit code. Jest's support for ES modules hides behind a flag
 * of Node that its workers need as well, hence the environment variable.
 */
export function runJest(args) {
  const nodeOptions = [process.env.NODE_OPTIONS, '--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const env = { ...process.env, NODE_OPTIONS: nodeOptions.filter(Boolean).join(' ') };
  const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [jest, ...args], { cwd: root, stdio: 'inherit', env });
    // Ctrl-C reaches the whole process group: jest ends its services first, and this process waits for it.
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
