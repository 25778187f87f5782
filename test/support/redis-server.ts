import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freeLoopbackPort } from '../../src/platform/database/free-loopback-port.js';
import { eventually } from './eventually.js';
import { findRedisProgram } from './redis-program.js';
import type { RedisProgram } from './redis-program.js';
import { rememberProcess, testRunFolder } from './test-run.js';

/** A Redis of one's own, to empty or to stop; it starts in a few milliseconds and keeps nothing. */
export interface RedisServer {
  readonly url: string;
  /** Ends it at once, as a power failure would. Also to be called when the suite is done. */
  stop(): Promise<void>;
  /** Starts it again, empty, on the same port. */
  start(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const program = await findRedisProgram();
  const port = await freeLoopbackPort();
  let running = await launch(program, port);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: async () => end(running),
    start: async () => {
      running = await launch(program, port);
    },
  };
}

async function launch(program: RedisProgram, port: number): Promise<ChildProcess> {
  const folder = mkdtempSync(join(testRunFolder(), 'redis-'));
  const log = openSync(join(folder, 'log'), 'a');
  const settings = { bind: '127.0.0.1', port: String(port), dir: folder, save: '', 'maxmemory-policy': 'noeviction' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const server = spawn(program.command, args, { env: { ...process.env, ...program.env }, stdio: ['ignore', log, log] });
  server.on('error', () => undefined);
  closeSync(log);
  if (server.pid !== undefined) rememberProcess(server.pid);
  // A server that was forgotten must not keep jest from ending; the run ends it.
  server.unref();
  await eventually(async () => answerPing(server, port, join(folder, 'log')), { deadlineMs: 60_000, everyMs: 10 });
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.ref();
  server.kill('SIGKILL');
  await ended;
}

async function answerPing(server: ChildProcess, port: number, log: string): Promise<void> {
  if (server.exitCode !== null) throw new Error(`redis-server ended:\n${readFileSync(log, 'utf8')}`);
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    await once(socket, 'data');
  } finally {
    socket.destroy();
  }
}
