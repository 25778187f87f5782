import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { SystemName } from '../../examples/record-store.js';
import { rememberProcess } from './test-run.js';

/** A sample system as a process of its own: it goes on at its own pace, however busy the test is. */
export async function startRecordServerProcess(
  system: SystemName,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const script = join(process.cwd(), 'dist', 'examples', `${system}.js`);
  const child = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid !== undefined) rememberProcess(child.pid);
  const exit = once(child, 'exit');
  const line = await Promise.race([once(child.stdout, 'data'), exit.then(() => undefined)]);
  if (line === undefined) throw new Error(`The sample ${system} ended as soon as it had started.`);
  const { listening } = JSON.parse(String(line[0])) as { listening: string };
  return {
    url: listening,
    close: async () => {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
