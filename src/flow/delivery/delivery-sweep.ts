import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import { classOfError } from '../work/class-of-error.js';
import { WorkService } from '../work/work.service.js';
import { Deliver } from './deliver.js';

/** Deliveries of one target that one sweep takes on, and how many of them at once. */
const SWEEP_MAX = 500;
const LANES = 8;

/**
 * The safety net under the alarm clocks: takes deliveries that are overdue by one period, whether or not an alarm
 * exists, and those whose worker did not come back. With the queue's backend gone for good, deliveries still flow.
 */
@Injectable()
export class DeliverySweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stop: StopPeriodic | undefined;
  private isStopped = false;

  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly work: WorkService,
    private readonly deliver: Deliver,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    const report = (error: unknown): void => this.log.trouble('The sweep of deliveries failed', {}, error);
    this.stop = periodically(this.contract.settings.sweepEveryMs, () => this.sweep(), report);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.stop?.();
  }

  /** Target by target, at once: a slow one holds up nobody else. */
  async sweep(): Promise<void> {
    const systems = [...this.contract.systems.values()];
    const targets = systems.filter(({ deliver }) => deliver !== undefined).map(({ name }) => name);
    await Promise.all(targets.map((target) => this.sweepTarget(target)));
  }

  private async sweepTarget(target: string): Promise<void> {
    try {
      while (!this.isStopped && (await this.try(target, () => this.deliver.takeOver(target))));
      const overdue = await this.work.findOverdueDeliveries(target, this.contract.settings.sweepEveryMs, SWEEP_MAX);
      const lane = async (): Promise<void> => {
        for (let key = overdue.shift(); key !== undefined && !this.isStopped; key = overdue.shift()) {
          const workKey = key;
          await this.try(target, () => this.deliver.deliver(workKey));
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    } catch (error) {
      this.log.troubleNowAndThen('The sweep of deliveries was broken off; the next one goes on', { target }, error);
    }
  }

  /**
   * What fails here failed for one delivery; the others must not wait for the next sweep.
   *
   * @throws what says that the database is away: then all of them wait
   */
  private async try<T>(target: string, task: () => Promise<T>): Promise<T | true> {
    try {
      return await task();
    } catch (error) {
      if (classOfError(error) === 'unrecordable') throw error;
      this.log.trouble('A delivery was interrupted; its lease brings it back', { target }, error);
      return true;
    }
  }
}
