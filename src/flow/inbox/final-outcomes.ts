import { performance } from 'node:perf_hooks';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EventId } from '../../domain/ids.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { eventStanding, isFinal } from './event-standing.js';
import { findStandings } from './inbox.sql.js';
import type { EventStanding } from './verdict.js';

/** One sender who waits for the end of one event. */
export interface Wait {
  /** By `performance.now()`. */
  readonly endsAtMs: number;
  /** What is kept in memory for it meanwhile. */
  readonly bytes: number;
  /** True once nobody would hear the answer any more. */
  readonly isAbandoned: () => boolean;
}

/** Ends of events that workers of this process reach are seen at once; this is how soon those of other processes are. */
const LOOK_EVERY_MS = 100;
/** Waiting costs a request, its body and a place in a statement that runs ten times a second. */
const WAITING_MAX = { count: 2_000, bytes: 67_108_864 } as const;

/**
 * Senders who wait for the final outcome of their events. However many they are, they hold no connection: one statement
 * at a time asks for all of their events. Workers may run in this process or in others.
 */
@Injectable()
export class FinalOutcomes implements OnModuleDestroy {
  private readonly waiting = new Set<Waiting>();
  private waitingBytes = 0;
  private isLooking = false;
  private isLookWanted = false;
  private isStopped = false;
  private clockwork: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /**
   * Where the event stands once it is final, or when the wait is over; that is `standing`, what was known before, where
   * the database did not answer meanwhile. Undefined at once when too many wait already. Never rejects.
   */
  wait(eventId: EventId, standing: EventStanding, wait: Wait): Promise<EventStanding | undefined> {
    const isFull = this.waiting.size >= WAITING_MAX.count || this.waitingBytes + wait.bytes > WAITING_MAX.bytes;
    if (isFull || this.isStopped) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.waiting.add({ eventId, standing, wait, resolve });
      this.waitingBytes += wait.bytes;
      this.clockwork ??= setInterval(() => this.tick(), LOOK_EVERY_MS);
      // The event may have ended between its verdict and now.
      this.look();
    });
  }

  /** Called when events may have ended. Costs nothing while nobody waits; is not waited for and never fails. */
  look(): void {
    this.isLookWanted = this.waiting.size > 0;
    if (!this.isLookWanted || this.isLooking) return;
    this.isLooking = true;
    void this.lookWhileWanted();
  }

  /** Whoever still waits is told what is known: a process that ends must not keep its senders for their whole wait. */
  onModuleDestroy(): void {
    this.isStopped = true;
    for (const waiting of this.waiting) this.end(waiting);
  }

  private tick(): void {
    const nowMs = performance.now();
    for (const waiting of this.waiting) {
      if (waiting.wait.endsAtMs <= nowMs || waiting.wait.isAbandoned()) this.end(waiting);
    }
    this.look();
  }

  private async lookWhileWanted(): Promise<void> {
    try {
      while (this.isLookWanted) {
        this.isLookWanted = false;
        await this.ask();
      }
    } catch (error) {
      this.log.troubleNowAndThen('Outcomes that senders wait for could not be read', {}, error);
    } finally {
      this.isLooking = false;
    }
  }

  private async ask(): Promise<void> {
    const asked = [...this.waiting];
    const rows = await findStandings(this.database, [...new Set(asked.map(({ eventId }) => eventId))]);
    const standings = new Map(rows.map((row) => [row.event_id, eventStanding(row)]));
    for (const waiting of asked) {
      waiting.standing = standings.get(waiting.eventId) ?? waiting.standing;
      if (isFinal(waiting.standing)) this.end(waiting);
    }
  }

  private end(waiting: Waiting): void {
    if (!this.waiting.delete(waiting)) return;
    this.waitingBytes -= waiting.wait.bytes;
    waiting.resolve(waiting.standing);
    if (this.waiting.size > 0) return;
    clearInterval(this.clockwork);
    this.clockwork = undefined;
  }
}

interface Waiting {
  readonly eventId: EventId;
  readonly wait: Wait;
  readonly resolve: (standing: EventStanding) => void;
  standing: EventStanding;
}
