import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { codeClass } from '../../domain/failure-class.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { databaseFault, isDatabaseError } from '../../platform/database/database-fault.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import type { Alarm } from '../../platform/queues/alarms.js';
import { nextLetters, type LetterFilter, type LetterPlace } from './dead-letters.sql.js';
import { isUnreadWebhook, LettersInHand } from './letters-in-hand.js';
import { ReplayLetter } from './replay-letter.js';
import { ReplayWebhook, type Replayed } from './replay-webhook.js';
import {
  advance,
  claimStep,
  countLetter,
  endReplay,
  scheduleStep,
  type LetterCount,
  type ReplayRow,
} from './replays.sql.js';

/** A step is what the pace allows in this time. */
const STEP_MS = 1_000;

const DONE = { done: 1, superseded: 0, failed: 0 } as const;
const SUPERSEDED = { done: 0, superseded: 1, failed: 0 } as const;
const FAILED = { done: 0, superseded: 0, failed: 1 } as const;

/**
 * Carries replays of many letters out, step by step, in whichever process comes first: a process that ends takes no
 * replay with it. Each letter commits together with its count and with how far the replay is.
 */
@Injectable()
export class ReplayRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stop: StopPeriodic | undefined;
  private isStopped = false;

  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly inHand: LettersInHand,
    private readonly letters: ReplayLetter,
    private readonly webhooks: ReplayWebhook,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const report = (error: unknown): void =>
      this.log.trouble('A step of a replay failed; it is taken again', {}, error);
    this.stop = periodically(STEP_MS, () => this.runDue(), report);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.stop?.();
  }

  /** One step of every replay that has one due. */
  async runDue(): Promise<void> {
    while (!this.isStopped && (await this.step()));
  }

  /** One step of one replay. False when none is due. */
  async step(): Promise<boolean> {
    const [replay] = await claimStep(this.database, this.contract.settings.leaseMs);
    if (replay === undefined) return false;
    const places = await this.next(replay);
    for (const place of places) {
      // Whoever goes on with it finds the next letter by itself.
      if (this.isStopped) return this.hand(replay, 0);
      if (!(await this.replayOne(replay, place))) return true;
    }
    if (places.length === replay.pace) return this.hand(replay, STEP_MS);
    await endReplay(this.database, replay.replay_id, 'done');
    return true;
  }

  private async hand({ replay_id }: ReplayRow, delayMs: number): Promise<true> {
    await scheduleStep(this.database, replay_id, delayMs);
    return true;
  }

  private next(replay: ReplayRow): Promise<LetterPlace[]> {
    const { filter, started_at: until, after_dead_at: deadAt, after_key: key, pace: limit } = replay;
    const after = deadAt === null || key === null ? undefined : { dead_at: deadAt, key };
    return nextLetters(this.database, JSON.parse(filter) as LetterFilter, { until, after, limit });
  }

  /** False when the replay was cancelled or is in other hands. */
  private async replayOne(replay: ReplayRow, place: LetterPlace): Promise<boolean> {
    const { replay_id, reason, operator } = replay;
    const wish = { letterId: place.key, reason, operator, isDryRun: false, ifMatch: undefined };
    let woken: Alarm | 'bell' | undefined;
    try {
      const held = await this.inHand.find(place.key);
      const isPassed = await this.pass(replay_id, place, async (tx) => {
        if (held === undefined || held.letter.dead_at !== place.dead_at) return SUPERSEDED;
        if (isUnreadWebhook(held)) {
          woken = 'bell';
          return webhookCount(await this.webhooks.replayWithin(tx, held, wish));
        }
        woken = await this.letters.revive(tx, held, wish);
        return woken === undefined ? SUPERSEDED : DONE;
      });
      if (isPassed && woken !== undefined) await this.letters.wake([woken]);
      return isPassed;
    } catch (error) {
      if (isOfDatabase(error)) throw error;
      if (!(error instanceof SyncError)) this.log.fault('dead_letter.replay_failed', { letterId: place.key }, error);
      return this.pass(replay_id, place, () => Promise.resolve(FAILED));
    }
  }

  /** Passes one letter first: the row is the lock that lets one process at a time pass, and a cancelled replay none. */
  private pass(replayId: string, place: LetterPlace, replay: (tx: Tx) => Promise<LetterCount>): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if ((await advance(tx, replayId, place)).length === 0) return false;
      await countLetter(tx, replayId, await replay(tx));
      return true;
    });
  }
}

/** What is left of a webhook that still cannot be read stays a letter. */
function webhookCount(replayed: Replayed | undefined): LetterCount {
  if (replayed === undefined) return SUPERSEDED;
  return replayed.status === 'COMPLETED' ? DONE : FAILED;
}

/** It says nothing about the letter, which is not passed; the step is taken again when its lease is over. */
function isOfDatabase(error: unknown): boolean {
  if (error instanceof SyncError) return codeClass(error.code) === 'throttled';
  return isDatabaseError(error) && databaseFault(error) !== 'item';
}
