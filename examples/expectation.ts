import { DemoStopped } from './demo-stopped.js';

const DEADLINE_MS = 30_000;
const PAUSE_MS = 100;

/** Stops the demo where the story does not hold; `sentence` says what should have been. */
export function expectThat(holds: boolean, sentence: string): void {
  if (!holds) throw new DemoStopped(`The story does not hold: ${sentence}`);
}

/** Asks until there is an answer other than undefined, and stops the demo after 30 seconds without one. */
export async function eventually<T>(sentence: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadlineAt = Date.now() + DEADLINE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    expectThat(Date.now() < deadlineAt, `within ${DEADLINE_MS / 1000} seconds ${sentence}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
