import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { readClock } from './database-clock.sql.js';

/**
 * The one clock: the database's. A process whose own clock is off by minutes must neither date ids into another day
 * nor judge what lies in the future, so each process measures how far the database's clock is from its own monotonic
 * one, and goes by that between two measurements.
 */
@Injectable()
export class DatabaseClock {
  private offsetMicros: number | undefined;

  constructor(private readonly database: Database) {}

  /** Measures again. The answer's age is at most half a round trip. */
  async synchronize(): Promise<void> {
    const before = monotonicMicros();
    const databaseMicros = await readClock(this.database);
    const midway = (before + monotonicMicros()) / 2;
    this.offsetMicros = Number(databaseMicros) - midway;
  }

  /** Microseconds since 1970. */
  nowMicros(): bigint {
    return BigInt(this.micros());
  }

  /** Milliseconds since 1970. */
  nowMs(): number {
    return Math.floor(this.micros() / 1000);
  }

  /** Microseconds since 1970 are exact in a double until the year 2255. */
  private micros(): number {
    if (this.offsetMicros === undefined) throw new Error('The database clock was never read.');
    return Math.round(this.offsetMicros + monotonicMicros());
  }
}

function monotonicMicros(): number {
  return performance.now() * 1000;
}
