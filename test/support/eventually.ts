import { setTimeout as delay } from 'node:timers/promises';

/** Far above what anything takes. Whoever expects tests to fail, as `npm run guards` does, is in more of a hurry. */
const PATIENCE_MS = Number(process.env['TEST_PATIENCE_MS'] ?? 60_000);

/**
 * Waits until `look` succeeds and returns what it returned: it is called again and again until it neither throws nor
 * rejects (an expectation that does not hold throws). After the deadline it rejects with the last reason.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { deadlineMs = PATIENCE_MS, everyMs = 50 }: { readonly deadlineMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    try {
      return await look();
    } catch (cause) {
      if (Date.now() >= deadline) throw describeLastReason(cause, deadlineMs);
    }
    await delay(everyMs);
  }
}

function describeLastReason(cause: unknown, deadlineMs: number): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`Not within ${deadlineMs} ms. The last reason: ${reason}`, { cause });
}
