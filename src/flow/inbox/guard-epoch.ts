import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Database } from '../../platform/database/database.js';
import { databaseFault } from '../../platform/database/database-fault.js';
import type { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import { readEpoch, readEpochOfCluster } from './inbox.sql.js';

const READ_EVERY_MS = 5_000;
/** An epoch that could not be confirmed for so long counts as unknown: the server may be another one by now. */
const VALID_FOR_MS = 10_000;

/**
 * In which history of the database this process lives, as a short text; whatever another history had committed is not to
 * be believed. Unknown from the moment on in which any connection to the database is made or lost, until the database
 * was asked again over one that lives; a restore, a failover and a promotion break connections.
 */
export class GuardEpoch {
  private epoch: string | undefined;
  private readAtMs = 0;
  private changes = 0;
  private isReading = false;
  private isStopped = false;
  private mayAskCluster = true;
  private stopPeriodic: StopPeriodic | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Undefined: nothing is known, and nothing that Redis says may be used. */
  get current(): string | undefined {
    return performance.now() - this.readAtMs <= VALID_FOR_MS ? this.epoch : undefined;
  }

  start(): void {
    this.database.onConnectionChange(() => this.forget());
    this.stopPeriodic = periodically(
      READ_EVERY_MS,
      () => this.read(),
      () => undefined,
    );
    void this.read();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.epoch = undefined;
    await this.stopPeriodic?.();
  }

  /** Never fails. What changes meanwhile is asked for again, so that an answer is never older than the last change. */
  async read(): Promise<void> {
    if (this.isReading || this.isStopped) return;
    this.isReading = true;
    try {
      await this.readUntilNothingChanges();
    } catch (error) {
      this.epoch = undefined;
      this.log.troubleNowAndThen('The duplicate guard is off: the history of the database is unknown', {}, error);
    } finally {
      this.isReading = false;
    }
  }

  private forget(): void {
    this.changes++;
    this.epoch = undefined;
    void this.read();
  }

  private async readUntilNothingChanges(): Promise<void> {
    let epoch: string;
    let changesSeen: number;
    let askedAtMs: number;
    do {
      changesSeen = this.changes;
      askedAtMs = performance.now();
      epoch = await this.ask();
    } while (changesSeen !== this.changes);
    if (this.isStopped) return;
    this.epoch = epoch;
    this.readAtMs = askedAtMs;
  }

  private async ask(): Promise<string> {
    const told = (await this.askCluster()) ?? (await readEpoch(this.database));
    if (told === undefined) throw new Error('The row of guard_epoch is missing.');
    return createHash('sha256').update(told).digest('base64url').slice(0, 22);
  }

  /** Where the role may not know the cluster, the rest has to do: no two servers start in the same microsecond. */
  private async askCluster(): Promise<string | undefined> {
    if (!this.mayAskCluster) return undefined;
    try {
      return await readEpochOfCluster(this.database);
    } catch (error) {
      if (databaseFault(error) !== 'bug') throw error;
      this.mayAskCluster = false;
      return undefined;
    }
  }
}
