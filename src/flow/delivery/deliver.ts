import { performance } from 'node:perf_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { saysThatItCannot } from '../../platform/database/database-fault.js';
import { Log } from '../../platform/logging/logger.js';
import { classOfError } from '../work/class-of-error.js';
import { LeaseLost, TAKE_OVER_MAX, type Claim } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import type { Attempt, AttemptEnd, AttemptFailed } from './attempt.js';
import { BringUpToDate } from './bring-up-to-date.js';
import { PrepareAttempt } from './prepare-attempt.js';
import { RecordAttempt, type AttemptStatus } from './record-attempt.js';

/** A delivery makes at most three calls (find, create, update); the fourth time-out is for everything around them. */
const CALLS_MAX = 4;

const POISON: AttemptFailed = {
  kind: 'failed',
  code: 'work.poison',
  detail: `${String(TAKE_OVER_MAX)} workers in a row did not come back from it.`,
  class: 'final',
  mayHaveArrived: true,
};

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

  /** Takes over one delivery of a target whose worker did not come back. False when there is none. */
  async takeOver(target: string): Promise<boolean> {
    const startedMs = performance.now();
    const claim = await this.work.takeOverExpired('delivery', this.leaseMs, target);
    if (claim === undefined) return false;
    try {
      // A call of the former worker may have an unknown end, and it is no longer here to say so.
      await this.recording.markDirty(claim);
      await this.run(claim, startedMs);
    } catch (error) {
      // A worker that comes back because the database takes nothing in has not been ended by the delivery.
      if (saysThatItCannot(error)) await this.work.forgiveTakeOver('delivery', claim).catch(() => undefined);
      throw error;
    }
    return true;
  }

  private async run(claim: Claim, startedMs: number): Promise<void> {
    const prepared = await this.prepare.read(claim, startedMs + this.leaseMs);
    if (prepared.kind === 'nothing_to_do') return this.recording.endWithoutCall(claim, prepared);
    const { attempt } = prepared;
    try {
      const end = prepared.kind === 'ended' ? prepared.end : await this.attempt(claim, attempt);
      const status = await this.recording.record(claim, attempt, end);
      this.report(attempt, end, { status, durationMs: Math.round(performance.now() - startedMs) });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      await this.recording.sendAgain(attempt);
    }
  }

  /** Whatever goes wrong on our side is an attempt that failed: it is counted, traced, and ends as a dead letter. */
  private async attempt(claim: Claim, attempt: Attempt): Promise<AttemptEnd> {
    if (claim.takeOvers > TAKE_OVER_MAX) return POISON;
    try {
      return await this.bringUpToDate.run(attempt);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const failureClass = classOfError(error);
      if (failureClass === 'unrecordable') throw error;
      this.log.fault('delivery.failed', { target: attempt.target, internalId: attempt.internalId }, error);
      const detail = error instanceof Error ? error.message : 'Something was thrown that is no error.';
      // What the database refuses came with an answer of the target, and the next answer may be another one.
      const isFinal = failureClass === 'final' && !(error instanceof SyncError);
      const goesOn = isFinal ? 'retryable' : failureClass;
      return { kind: 'failed', code: 'delivery.failed', detail, class: goesOn, mayHaveArrived: true };
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
      code: end.code,
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
