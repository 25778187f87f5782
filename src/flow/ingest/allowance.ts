import type { RateLimit } from '../../domain/contract/rate-limit.js';

/**
 * What one sender may still send. A bucket seen from the other side: it holds what was taken and is not paid off yet, and
 * time pays off `max` events every `perMs`. Events are counted, and not milliseconds, so that `max` at one instant are
 * exactly `max`.
 */
export class Allowance {
  private owed = 0;
  private owedAtMs: number;

  /** @param monotonicMs a clock that never goes back */
  constructor(
    private readonly limit: RateLimit,
    private readonly monotonicMs: () => number,
  ) {
    this.owedAtMs = monotonicMs();
  }

  /** Takes one event and returns 0, or takes nothing and returns the milliseconds after which one will be allowed. */
  take(): number {
    const missing = this.owedNow() + 1 - this.limit.max;
    if (missing > 0) return (missing * this.limit.perMs) / this.limit.max;
    this.charge(1);
    return 0;
  }

  /** Takes events whether they are allowed or not; what is too much delays the next ones. */
  charge(events: number): void {
    this.owed = this.owedNow() + events;
    this.owedAtMs = this.monotonicMs();
  }

  private owedNow(): number {
    const paidOff = ((this.monotonicMs() - this.owedAtMs) * this.limit.max) / this.limit.perMs;
    return Math.max(0, this.owed - paidOff);
  }
}
