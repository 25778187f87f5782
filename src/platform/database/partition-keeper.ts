import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Log } from '../logging/logger.js';
import { periodically, type StopPeriodic } from '../periodically.js';
import { DatabaseClock } from './database-clock.js';
import { Database } from './database.js';
import { ensureDayPartitions } from './day-partitions.js';

/** Hourly: a day that begins finds its partition made a week before. */
const LOOK_EVERY_MS = 3_600_000;
/** The offset to the database's clock is measured this often. */
const MEASURE_EVERY_MS = 30_000;

/** Keeps partitions ahead of time, and the measure of the database's clock fresh. */
@Injectable()
export class PartitionKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stops: StopPeriodic[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const ensure = (): Promise<void> => ensureDayPartitions(this.database, this.clock.nowMs());
    await ensure();
    const report = (error: unknown): void => this.log.trouble('Partitions or clock could not be kept', {}, error);
    this.stops.push(
      periodically(LOOK_EVERY_MS, ensure, report),
      periodically(MEASURE_EVERY_MS, () => this.clock.synchronize(), report),
    );
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.stops.map((stop) => stop()));
  }
}
