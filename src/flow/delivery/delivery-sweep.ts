import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import { WorkService } from '../work/work.service.js';
import { Deliver } from './deliver.js';

/** Deliveries that one sweep takes on, and how many of them at once. */
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

  async sweep(): Promise<void> {
    while (!this.isStopped && (await this.deliver.takeOver()));
    const overdue = await this.work.findOverdue('delivery', this.contract.settings.sweepEveryMs, SWEEP_MAX);
    const lane = async (): Promise<void> => {
      for (let key = overdue.shift(); key !== undefined && !this.isStopped; key = overdue.shift()) {
        await this.deliver.deliver(key);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }
}
