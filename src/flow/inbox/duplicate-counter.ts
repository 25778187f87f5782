import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import { addDuplicateCounts } from './inbox.sql.js';

const FLUSH_EVERY_MS = 2_000;

/** What intercepted a copy: the unique key in PostgreSQL, or the guard in Redis before it. */
export type DuplicateLayer = 'key' | 'guard';

/**
 * Counts intercepted copies by source, event type and layer. A count is a statistic and no promise: it gathers in memory and
 * goes to the database every few seconds, because a copy must not cost a write of its own.
 */
@Injectable()
export class DuplicateCounter implements OnApplicationBootstrap, OnApplicationShutdown {
  private counts = new Map<string, Counted>();
  private stop: StopPeriodic | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  count(source: string, eventType: string, layer: DuplicateLayer): void {
    this.add({ source, event_type: eventType, layer, copies: 1 });
  }

  async flush(): Promise<void> {
    if (this.counts.size === 0) return;
    const flushed = this.counts;
    this.counts = new Map();
    try {
      await addDuplicateCounts(this.database, [...flushed.values()]);
    } catch (error) {
      for (const counted of flushed.values()) this.add(counted);
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

  private add({ source, event_type, layer, copies }: Readonly<Counted>): void {
    const key = `${layer}:${source}:${event_type}`;
    const counted = this.counts.get(key);
    if (counted === undefined) this.counts.set(key, { source, event_type, layer, copies });
    else counted.copies += copies;
  }
}

interface Counted {
  readonly source: string;
  readonly event_type: string;
  readonly layer: DuplicateLayer;
  copies: number;
}
