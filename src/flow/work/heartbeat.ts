import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { periodically, type StopPeriodic } from '../../platform/periodically.js';
import type { Claim } from './work.js';
import { prolongClaims, type WorkKind } from './work.sql.js';

/** Two beats may be missed before a lease ends. */
const BEATS_PER_LEASE = 3;
/** Work that has not ended after so many leases hangs: its lease ends, and another worker takes it over. */
const LEASES_MAX = 10;

interface Hold {
  readonly kind: WorkKind;
  readonly leaseMs: number;
  readonly untilMs: number;
  /** By key; what ended or was lost is taken out. */
  readonly claims: Map<string, Claim>;
}

/**
 * Prolongs the leases of claimed work that takes long, under its fences, so that nobody takes over what somebody still
 * works on: one statement a beat for all claims of one lease that this process has in hand. A lease that has run out is
 * not revived: anybody may take the work over. Until somebody does, a process that was frozen past it still ends it, for
 * only a newer fence refuses that.
 *
 * Deliveries need none: their lease is longer than all calls of an attempt together, and no call begins or lasts beyond
 * it. A lease that grew would only hold off the next worker.
 */
@Injectable()
export class Heartbeat {
  private readonly holds = new Set<Hold>();
  private readonly beats = new Map<number, StopPeriodic>();

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Keeps the claims for as long as `task` takes, at most for ten leases. */
  async during<T>(kind: WorkKind, claims: readonly Claim[], leaseMs: number, task: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + LEASES_MAX * leaseMs;
    const hold: Hold = { kind, leaseMs, untilMs, claims: new Map(claims.map((claim) => [claim.key, claim])) };
    this.holds.add(hold);
    this.start(leaseMs);
    try {
      return await task();
    } finally {
      this.holds.delete(hold);
      await this.stopIfIdle(leaseMs);
    }
  }

  private start(leaseMs: number): void {
    if (this.beats.has(leaseMs)) return;
    const report = (error: unknown): void => this.log.trouble('Leases were not prolonged', {}, error);
    this.beats.set(
      leaseMs,
      periodically(leaseMs / BEATS_PER_LEASE, () => this.beat(leaseMs), report),
    );
  }

  private async stopIfIdle(leaseMs: number): Promise<void> {
    if (this.holdsOf(leaseMs).length > 0) return;
    const stop = this.beats.get(leaseMs);
    this.beats.delete(leaseMs);
    await stop?.();
  }

  private async beat(leaseMs: number): Promise<void> {
    const nowMs = performance.now();
    const holds = this.holdsOf(leaseMs).filter(({ untilMs }) => nowMs < untilMs);
    const claims = holds.flatMap((hold) => [...hold.claims.values()].map((claim) => ({ hold, claim })));
    if (claims.length === 0) return;
    const asked = claims.map(({ hold, claim }) => ({ kind: hold.kind, key: claim.key, fence: claim.fence }));
    const answers = await prolongClaims(this.database, asked, leaseMs);
    for (const { at, end } of answers) {
      const { hold, claim } = claims[at] ?? {};
      if (hold === undefined || claim === undefined) continue;
      hold.claims.delete(claim.key);
      if (end === 'lost') this.log.trouble('work.lease_lost', { kind: hold.kind, key: claim.key });
    }
  }

  private holdsOf(leaseMs: number): readonly Hold[] {
    return [...this.holds].filter((hold) => hold.leaseMs === leaseMs);
  }
}
