import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { freeLoopbackPort } from '../src/platform/database/free-loopback-port.js';
import { findRedisProgram } from '../test/support/redis-program.js';

const READY_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** Starts an empty Redis that keeps nothing. Rejects, and says how to get one, where there is none. */
export async function startBenchRedis(
  folder: string,
): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
  const { command, env } = await findRedisProgram();
  const port = await freeLoopbackPort();
  const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', ''];
  const server = spawn(command, settings, { env: { ...process.env, ...env }, stdio: 'ignore' });
  const ended = once(server, 'exit');
  // The last net, as for every other process that the bench starts.
  process.once('exit', () => server.kill('SIGKILL'));
  await untilListening(port);
  return {
    url: `redis://127.0.0.1:${String(port)}`,
    end: async () => {
      server.kill('SIGKILL');
      await ended;
    },
  };
}

async function untilListening(port: number): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isListening = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isListening) return;
    if (Date.now() > deadline) throw new Error('redis-server did not start.');
    await wait(LOOK_EVERY_MS);
  }
}
