import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Optional, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { guardKey } from '../../domain/business-key.js';
import type { ReceivedEvent } from '../../domain/event.js';
import { acceptedAtMs, type EventId } from '../../domain/ids.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { RedisLink } from '../../platform/redis/redis-link.js';
import { REDIS_PLACE, type RedisPlace } from '../../platform/redis/redis.module.js';
import { DuplicateShare } from './duplicate-share.js';
import { GroupCommit } from './group-commit.js';
import { GuardEpoch } from './guard-epoch.js';
import { testGuardStore } from './guard-self-test.js';
import { guardStore } from './guard-store.js';
import { eventOfGuardValue, guardValue } from './guard-value.js';
import { GuardWriter } from './guard-writer.js';
import type { FullVerdict } from './verdict.js';

/**
 * How long an event is remembered after its acceptance. Nearly every copy comes within hours; the memory in Redis stays
 * bounded, and far shorter than that of the keys in PostgreSQL, so that the guard never knows a key that was forgotten.
 */
const LIFE_MS = 86_400_000;
/** A question may wait for the one before it, so that a request waits at most twice as long: 50 ms. */
const ANSWER_WITHIN_MS = 25;
/** Nobody waits for these. */
const WRITTEN_WITHIN_MS = 1_000;
const ASKED_TOGETHER = { count: 500, weight: Infinity } as const;
const UNBOUNDED = { count: Infinity, weight: Infinity } as const;

/**
 * Recognises copies by a memory in Redis, before PostgreSQL is asked. It only ever remembers what PostgreSQL has committed
 * in the history that it still lives in, so it may know less than PostgreSQL and never more; whatever it does not know,
 * and everything while Redis is slow, away or does not keep its word, goes to PostgreSQL. Asked and taught only about
 * scopes in which many copies come. Without a configured Redis it does nothing.
 */
@Injectable()
export class DuplicateGuard implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly epoch: GuardEpoch;
  private readonly link: RedisLink | undefined;
  private readonly prefix: string;
  private readonly answerWithinMs: number;
  private readonly shares = new Map<string, DuplicateShare>();

  private readonly questions = new GroupCommit<string, string | null>(
    (keys) => this.run((store) => store.read(keys), this.answerWithinMs),
    ASKED_TOGETHER,
    UNBOUNDED,
  );

  private readonly writer = new GuardWriter((entries) => this.run((store) => store.write(entries), WRITTEN_WITHIN_MS));

  constructor(
    @Optional() @Inject(REDIS_PLACE) place: RedisPlace | undefined,
    private readonly clock: DatabaseClock,
    database: Database,
    log: Log,
  ) {
    this.epoch = new GuardEpoch(database, log);
    this.prefix = place?.prefix ?? '';
    this.answerWithinMs = place?.answerWithinMs ?? ANSWER_WITHIN_MS;
    const examine = (redis: Parameters<typeof guardStore>[0]): Promise<void> =>
      testGuardStore(guardStore(redis), guardKey(this.prefix, 'self-test', '', randomUUID()));
    const { answerWithinMs } = this;
    const usedFor = 'recognising copies';
    this.link = place && new RedisLink({ url: place.url, examine, answerWithinMs, usedFor }, log);
  }

  /** Whether copies are recognised, where many come; undefined where no Redis is configured. */
  get isOn(): boolean | undefined {
    return this.link && this.link.isClosed && this.epoch.current !== undefined;
  }

  onApplicationBootstrap(): void {
    if (this.link === undefined) return;
    this.link.start();
    this.epoch.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.link?.stop();
    await this.epoch.stop();
  }

  /** The accepted event that this is a copy of, or undefined: ask PostgreSQL. Undefined at once where it does not pay. */
  recognise(event: ReceivedEvent): Promise<EventId | undefined> | undefined {
    if (this.shares.get(event.scope)?.isHigh !== true || this.link?.isClosed !== true) return undefined;
    const epoch = this.epoch.current;
    return epoch === undefined ? undefined : this.ask(event, epoch);
  }

  /** Learns from the verdict that PostgreSQL gives. */
  async learnFrom(event: ReceivedEvent, judge: () => Promise<FullVerdict>): Promise<FullVerdict> {
    if (this.link === undefined) return judge();
    const epoch = this.epoch.current;
    const verdict = await judge();
    if (verdict.kind === 'conflict') return verdict;
    const lifeSeconds = Math.ceil((acceptedAtMs(verdict.eventId) + LIFE_MS - this.clock.nowMs()) / 1_000);
    // A copy of what the guard would not remember any more is no reason to ask it.
    const share = this.shareOf(event.scope);
    share.add(verdict.kind === 'duplicate' && lifeSeconds > 0 ? 'copy' : 'first');
    if (!share.isHigh || lifeSeconds <= 0 || !this.link.isClosed) return verdict;
    // The verdict may come from another history than the one of now: only where there was one all the time it is known.
    if (epoch === undefined || epoch !== this.epoch.current) return verdict;
    const key = guardKey(this.prefix, epoch, event.scope, event.idempotencyKey);
    this.writer.add({ key, value: guardValue(verdict.eventId, event.fingerprint), lifeSeconds });
    return verdict;
  }

  private async ask(event: ReceivedEvent, epoch: string): Promise<EventId | undefined> {
    const key = guardKey(this.prefix, epoch, event.scope, event.idempotencyKey);
    const value = await this.questions.submit(key, 1).catch(() => null);
    if (value === null || this.epoch.current !== epoch) return undefined;
    const eventId = eventOfGuardValue(value, event.fingerprint);
    if (eventId !== undefined) this.shareOf(event.scope).add('copy');
    return eventId;
  }

  /** One for each scope that events came in; the contract bounds how many there are. */
  private shareOf(scope: string): DuplicateShare {
    let share = this.shares.get(scope);
    if (share === undefined) this.shares.set(scope, (share = new DuplicateShare()));
    return share;
  }

  private run<T>(use: (store: ReturnType<typeof guardStore>) => Promise<T>, withinMs: number): Promise<T> {
    if (this.link === undefined) throw new Error('There is no Redis.');
    return this.link.run((redis) => use(guardStore(redis)), withinMs);
  }
}
