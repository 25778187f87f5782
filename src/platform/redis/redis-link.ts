import { Redis, type RedisOptions } from 'ioredis';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../logging/logger.js';
import { connectAgainAfterMs } from './connect-again-after-ms.js';

const CONNECT_WITHIN_MS = 1_000;

/** Nothing waits inside the client: no queue while it is not connected, no second try, and it never comes back itself. */
const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: CONNECT_WITHIN_MS,
  retryStrategy: () => null,
} satisfies RedisOptions;

export interface RedisLinkSettings {
  readonly url: string;
  /** Looks at a new connection before anybody uses it; rejects with the reason why it must not be used. */
  readonly examine: (redis: Redis) => Promise<void>;
  /** A new connection is used only where it answers as fast as this: a slower one would fail those who ask it. */
  readonly answerWithinMs: number;
  /** What goes without Redis meanwhile, for the log. */
  readonly usedFor: string;
}

/**
 * A connection to a Redis that one can do without, as a circuit breaker: the first command that fails or is not answered
 * in time opens it. Then every command is refused at once, and in the background a new connection is made and examined,
 * less and less often, until one holds and answers in time. What was on its way over the old one is refused with it, so
 * nothing piles up.
 */
export class RedisLink {
  private redis: Redis | undefined;
  private candidate: Redis | undefined;
  private connectAgain: NodeJS.Timeout | undefined;
  private isStopped = false;
  /** Connections in a row that were not good for one answer to anybody. */
  private failures = 0;

  constructor(
    private readonly settings: RedisLinkSettings,
    private readonly log: Log,
  ) {}

  /** Whether commands are let through. */
  get isClosed(): boolean {
    return this.redis !== undefined;
  }

  /** Makes the first connection in the background. */
  start(): void {
    void this.connect();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.connectAgain);
    this.redis?.disconnect();
    this.candidate?.disconnect();
    this.redis = undefined;
  }

  /** @throws Error at once where the circuit is open, and after `withinMs` where no answer came: then it opens. */
  async run<T>(command: (redis: Redis) => Promise<T>, withinMs: number): Promise<T> {
    const { redis } = this;
    if (redis === undefined) throw new Error('Redis is bypassed.');
    try {
      const answer = await answerOf(command(redis), withinMs);
      this.failures = 0;
      return answer;
    } catch (error) {
      this.open(redis, error);
      throw error;
    }
  }

  private open(redis: Redis, reason: unknown): void {
    if (this.redis !== redis) return;
    this.redis = undefined;
    redis.disconnect();
    this.report(reason);
    this.connectLater();
  }

  private async connect(): Promise<void> {
    const redis = new Redis(this.settings.url, OPTIONS);
    this.candidate = redis;
    // Without a listener the client would print its troubles past the log.
    redis.on('error', () => undefined);
    redis.on('end', () => this.open(redis, new Error('The connection ended.')));
    try {
      await answerOf(this.connectAndExamine(redis), CONNECT_WITHIN_MS);
      await answerOf(redis.ping(), this.settings.answerWithinMs);
      if (this.isStopped) redis.disconnect();
      else this.redis = redis;
    } catch (error) {
      redis.disconnect();
      this.report(error);
      this.connectLater();
    } finally {
      this.candidate = undefined;
    }
  }

  private async connectAndExamine(redis: Redis): Promise<void> {
    await redis.connect();
    await this.settings.examine(redis);
  }

  private connectLater(): void {
    if (this.isStopped) return;
    clearTimeout(this.connectAgain);
    const afterMs = connectAgainAfterMs(++this.failures);
    this.connectAgain = setTimeout(() => void this.connect(), afterMs).unref();
  }

  private report(reason: unknown): void {
    if (this.isStopped) return;
    this.log.troubleNowAndThen('Redis is bypassed', { usedFor: this.settings.usedFor }, reason);
  }
}

/** @throws Error after `withinMs`; the late answer of the command is nobody's any more. */
async function answerOf<T>(answer: Promise<T>, withinMs: number): Promise<T> {
  const giveUp = new AbortController();
  const { signal } = giveUp;
  try {
    return await Promise.race([answer, refuseAfter(withinMs, signal)]);
  } finally {
    giveUp.abort();
  }
}

async function refuseAfter(withinMs: number, signal: AbortSignal): Promise<never> {
  await wait(withinMs, undefined, { signal });
  // A process that was busy for so long finds the answer in its socket: timers come before what was received.
  await nextTurn(undefined, { signal });
  throw new Error(`No answer within ${String(withinMs)} ms.`);
}
