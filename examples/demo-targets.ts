import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DemoStopped } from './demo-stopped.js';
import { RecordServerClient } from './record-server-client.js';
import type { SystemName } from './record-store.js';

/** A sample system that the demo talks to, and whether the demo has to end it. */
export interface DemoTarget {
  readonly system: SystemName;
  readonly client: RecordServerClient;
  readonly process: ChildProcess | undefined;
}

/** Uses the sample system that answers at `url`, or starts it there as a process of its own. */
export async function startTarget(system: SystemName, url: string): Promise<DemoTarget> {
  const client = new RecordServerClient(url);
  const running = await client.system();
  if (running === system) return { system, client, process: undefined };
  if (running !== undefined)
    throw new DemoStopped(`The sample ${running} answers at ${url}, where the ${system} should.`);

  const { hostname, port } = new URL(url);
  if (!['127.0.0.1', 'localhost'].includes(hostname) || port === '') {
    throw new DemoStopped(`No sample ${system} answers at ${url}, and the demo can start one on 127.0.0.1 only.`);
  }
  const script = fileURLToPath(new URL(`./${system}.js`, import.meta.url));
  const child = spawn(process.execPath, [script, '--port', port], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  const isListening = await Promise.race([once(child.stdout, 'data').then(() => true), exit.then(() => false)]);
  if (!isListening) throw new DemoStopped(`Port ${port} is taken by another program; set ${system.toUpperCase()}_URL.`);
  return { system, client, process: child };
}

/** Ends what the demo has started, and only that. */
export async function endTargets(targets: readonly DemoTarget[]): Promise<void> {
  await Promise.all(
    targets.map(async ({ process: child }) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    }),
  );
}
