import { setTimeout as wait } from 'node:timers/promises';
import type { StartedProgram } from '../child-processes.js';

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;

/** Resolves when `url` answers 200. Rejects when the program ends before, or is not ready in time. */
export async function waitUntilReady(program: StartedProgram, url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const ended = program.output.then((printed) => {
    throw new Error(`The service ended before it was ready. ${printed}`);
  });
  const lastSeen = await Promise.race([ended, askUntilReady(url, deadline)]);
  if (lastSeen === 'ready') return;
  const within = `${String(READY_WITHIN_MS / 1000)} s`;
  throw new Error(`${url} was not ready within ${within}; last seen: ${lastSeen}\n${program.lastWords()}`);
}

/** Returns `ready`, or at the deadline what was seen last. */
async function askUntilReady(url: string, deadline: number): Promise<string> {
  let lastSeen = 'no answer';
  while (Date.now() < deadline) {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(5000) });
      const body = await answer.text();
      if (answer.status === 200) return 'ready';
      lastSeen = `${String(answer.status)} ${body.slice(0, 300)}`;
    } catch {
      // Nobody listens there yet.
    }
    await wait(ASK_EVERY_MS);
  }
  return lastSeen;
}
