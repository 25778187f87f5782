import { performance } from 'node:perf_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Log } from '../../platform/logging/logger.js';
import { LeaseLost, type Claim } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import type { Attempt, AttemptEnd } from './attempt.js';
import { BringUpToDate } from './bring-up-to-date.js';
import { PrepareAttempt } from './prepare-attempt.js';
import { RecordAttempt, type AttemptStatus } from './record-attempt.js';

/** A delivery makes at most three calls (find, create, update); the fourth time-out is for everything around them. */
const CALLS_MAX = 4;

/**
 * Brings one (target, entity) to the newest revision: claim, read, call, record. Calls for one (target, entity) never
 * overlap: its one work row is claimed by one worker, and a worker whose time is over makes no further call.
 */
@Injectable()
export class Deliver {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly work: WorkService,
    private readonly prepare: PrepareAttempt,
    private readonly bringUpToDate: BringUpToDate,
    private readonly recording: RecordAttempt,
    private readonly log: Log,
  ) {}

  /** Does nothing when the work is done, not yet due, or in other hands. */
  async deliver(workKey: string): Promise<void> {
    const startedMs = performance.now();
    const claim = await this.work.claimByKey('delivery', workKey, this.leaseMs);
    if (claim !== undefined) await this.run(claim, startedMs);
  }

  /** Takes over one delivery whose worker did not come back. False when there is none. */
  async takeOver(): Promise<boolean> {
    const startedMs = performance.now();
    const claim = await this.work.takeOverExpired('delivery', this.leaseMs);
    if (claim !== undefined) await this.run(claim, startedMs);
    return claim !== undefined;
  }

  private async run(claim: Claim, startedMs: number): Promise<void> {
    const prepared = await this.prepare.read(claim, startedMs + this.leaseMs);
    if (prepared.kind === 'nothing_to_do') return this.recording.endWithoutCall(claim, prepared);
    const { attempt } = prepared;
    try {
      const end = prepared.kind === 'refused' ? prepared.end : await this.bringUpToDate.run(attempt);
      const status = await this.recording.record(claim, attempt, end);
      this.report(attempt, end, { status, durationMs: Math.round(performance.now() - startedMs) });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      await this.recording.sendAgain(attempt);
    }
  }

  private report(attempt: Attempt, end: AttemptEnd, facts: { status: AttemptStatus; durationMs: number }): void {
    const line = {
      target: attempt.target,
      internalId: attempt.internalId,
      revision: attempt.revision,
      eventId: attempt.eventId,
      correlationId: attempt.correlationId,
      attempt: attempt.retryCount + 1,
      code: end.kind === 'failed' ? end.code : undefined,
      ...facts,
    };
    // A dead letter waits for a person.
    if (facts.status === 'DEAD') this.log.fault('delivery.attempted', line);
    else this.log.stage('delivery.attempted', line);
  }

  /** Longer than all calls of one attempt together, so that no other worker begins while one of them is out. */
  private get leaseMs(): number {
    const timeouts = [...this.contract.systems.values()].map(({ deliver }) => deliver?.timeoutMs ?? 0);
    return Math.max(this.contract.settings.leaseMs, CALLS_MAX * Math.max(...timeouts));
  }
}
