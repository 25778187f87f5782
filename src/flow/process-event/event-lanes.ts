import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Doorbell } from '../../platform/database/doorbell.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import { EventRunner } from './event-runner.js';
import { ParkedEvents } from './parked-events.js';

/** Two batches at once keep the database busy while the other one is being decided. */
const LANES = 2;

/**
 * Keeps claiming while there is work: woken by the doorbell when new events were committed, by an alarm when a failed
 * one is due again, and by the sweep when everything else failed to.
 */
@Injectable()
export class EventLanes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly lanes = new Set<Promise<void>>();
  private hasRung = false;
  private isStopped = false;
  private stopSweep: StopPeriodic | undefined;

  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly runner: EventRunner,
    private readonly parkedEvents: ParkedEvents,
    private readonly doorbell: Doorbell,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.doorbell.onRing(() => this.wake());
    const report = (error: unknown): void => this.log.trouble('The sweep of events failed', {}, error);
    this.stopSweep = periodically(this.contract.settings.sweepEveryMs, () => this.sweep(), report);
    this.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.stopSweep?.();
    await Promise.all(this.lanes);
  }

  wake(): void {
    if (this.isStopped) return;
    this.hasRung = true;
    while (this.lanes.size < LANES) {
      const lane = this.runLane();
      this.lanes.add(lane);
      void lane.finally(() => this.lanes.delete(lane));
    }
  }

  /** Runs until nothing is due and nobody has rung since it last looked. */
  private async runLane(): Promise<void> {
    try {
      while (this.takeRing()) {
        while (!this.isStopped && (await this.runner.runDue()));
      }
    } catch (error) {
      this.log.trouble('A batch of events was not processed; the sweep tries again', {}, error);
    }
  }

  private takeRing(): boolean {
    const isRung = this.hasRung && !this.isStopped;
    this.hasRung = false;
    return isRung;
  }

  private async sweep(): Promise<void> {
    // First what is due: one that cannot be taken over must not keep the others waiting.
    this.wake();
    const [first] = (await Promise.allSettled([this.takeOver(), this.sweepParked()])).filter(
      (end) => end.status === 'rejected',
    );
    if (first !== undefined) throw first.reason;
  }

  private async takeOver(): Promise<void> {
    let hasTaken = false;
    while (!this.isStopped && (await this.runner.takeOver())) hasTaken = true;
    // What was taken over may have released others.
    if (hasTaken) this.wake();
  }

  private async sweepParked(): Promise<void> {
    if ((await this.parkedEvents.sweep()) > 0) this.wake();
  }
}
