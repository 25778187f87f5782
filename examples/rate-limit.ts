import type { RetryAfterStyle } from './retry-after.js';

/** At most `max` calls within any stretch of `per_ms`; a refused call is not counted. */
export interface RateLimit {
  readonly max: number;
  readonly per_ms: number;
  /** Default `seconds`. */
  readonly retry_after?: RetryAfterStyle;
}

/** Keeps the times of the calls that were let in. */
export class RateLimiter {
  private letIn: number[] = [];

  constructor(private readonly now: () => number) {}

  /** Lets a call in, or returns the milliseconds until the next one may come. */
  enter({ max, per_ms: perMs }: RateLimit): number | undefined {
    const now = this.now();
    this.letIn = this.letIn.filter((at) => now - at < perMs);
    const oldest = this.letIn[0];
    if (this.letIn.length >= max) return oldest === undefined ? perMs : oldest + perMs - now;
    this.letIn.push(now);
    return undefined;
  }

  clear(): void {
    this.letIn = [];
  }
}
