import { Inject, Injectable } from '@nestjs/common';
import type { Contract, System } from '../../domain/contract/contract.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Allowance } from './allowance.js';

/**
 * Holds each system to the `rate_limit` of the contract. In the memory of this process only: a limit protects the
 * process, and asking somebody else for every event would cost more than it saves. Ask it after the gate, so that a
 * stranger cannot use up a system's allowance.
 */
@Injectable()
export class RateLimits {
  private readonly allowances = new Map<string, Allowance>();

  constructor(@Inject(CONTRACT) contract: Contract) {
    for (const { name, ingest } of contract.systems.values()) {
      if (ingest?.rateLimit === undefined) continue;
      this.allowances.set(name, new Allowance(ingest.rateLimit, () => performance.now()));
    }
  }

  /**
   * One event, or the first of a batch, before anything of it is read.
   *
   * @throws SyncError `door.rate_limited`
   */
  take({ name }: System): void {
    const waitMs = this.allowances.get(name)?.take() ?? 0;
    if (waitMs === 0) return;
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    const detail = 'The system has sent more than its `rate_limit` allows; nothing was stored, send it again later.';
    throw new SyncError('door.rate_limited', detail, { retryAfterSeconds });
  }

  /**
   * The further events of a batch, once they are counted. They are never refused: a batch that is larger than the limit
   * would be refused for ever.
   */
  charge({ name }: System, events: number): void {
    this.allowances.get(name)?.charge(events);
  }
}
