import type { OnModuleDestroy } from '@nestjs/common';

const DELAY_STEP_MS = 100;
const DELAY_MAX_MS = 2_000;

/**
 * How connections to Redis come back: soon, again and again, until the process ends. Then they give up at their next
 * attempt; BullMQ would otherwise wait for a Redis that is away before it lets a process go.
 */
export class ReconnectPolicy implements OnModuleDestroy {
  private isEnding = false;

  /** Milliseconds until the next attempt, or null for none (`retryStrategy` of ioredis). */
  readonly delayMs = (attempt: number): number | null =>
    this.isEnding ? null : Math.min(attempt * DELAY_STEP_MS, DELAY_MAX_MS);

  /** The first of the hooks at an end: workers are closed in a later one, which would wait for a connection. */
  onModuleDestroy(): void {
    this.isEnding = true;
  }
}
