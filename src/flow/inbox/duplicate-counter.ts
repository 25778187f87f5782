import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import { addDuplicateCounts } from './inbox.sql.js';

const FLUSH_EVERY_MS = 2_000;

/**
 * Counts intercepted copies by source and event type. A count is a statistic and no promise: it gathers in memory and
 * goes to the database every few seconds, because a copy must not cost a write of its own.
 */
@Injectable()
export class DuplicateCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private counts = new Map<string, { readonly source: string; readonly event_type: string; copies: number }>();
  private stop: StopPeriodic | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  count(source: string, eventType: string): void {
    const key = `${source}:${eventType}`;
    const counted = this.counts.get(key) ?? { source, event_type: eventType, copies: 0 };
    counted.copies++;
    this.counts.set(key, counted);
  }

  async flush(): Promise<void> {
    if (this.counts.size === 0) return;
    const flushed = this.counts;
    this.counts = new Map();
    try {
      await addDuplicateCounts(this.database, [...flushed.values()]);
    } catch (error) {
      for (const { source, event_type, copies } of flushed.values()) {
        for (let copy = 0; copy < copies; copy++) this.count(source, event_type);
      }
      throw error;
    }
  }

  onApplicationBootstrap(): void {
    const report = (error: unknown): void => this.log.trouble('Duplicate counts wait in memory', {}, error);
    this.stop = periodically(FLUSH_EVERY_MS, () => this.flush(), report);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop?.();
    await this.flush().catch((error: unknown) => this.log.trouble('Duplicate counts were lost', {}, error));
  }
}
