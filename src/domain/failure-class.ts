/**
 * What an answer of a target means,. `unknown` is for creates: the record may exist
 * although nobody told us, so we look before we create again.
 */
export type AnswerClass = 'ok' | 'retryable' | 'throttled' | 'final' | 'auth';

export function answerClass(status: number, hasRetryAfter: boolean): AnswerClass {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 429 || (status === 503 && hasRetryAfter)) return 'throttled';
  if (status === 401 || status === 403) return 'auth';
  if (status === 408 || status === 425 || status >= 500) return 'retryable';
  return 'final';
}

/** Statuses after which a create may have happened. 425 and 503 say that the request was not worked on. */
export function mayHaveBeenApplied(status: number): boolean {
  return status === 408 || (status >= 500 && status !== 503);
}

const RETRY_AFTER_MAX_MS = 86_400_000;
/** The three forms of an HTTP date (RFC 9110 §5.6.7) begin with the name of the day; `Date.parse` takes far more. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d{2}:\d{2}:\d{2}/;

/** Milliseconds to wait by a Retry-After header (seconds or an HTTP date), or undefined when it says nothing usable. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : (HTTP_DATE.test(text) ? Date.parse(text) : NaN) - nowMs;
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), RETRY_AFTER_MAX_MS);
}
