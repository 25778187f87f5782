import { performance } from 'node:perf_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { backoffDelayMs } from '../../domain/backoff.js';
import { deliveryWorkKey } from '../../domain/business-key.js';
import type { Contract } from '../../domain/contract/contract.js';
import type { InternalId } from '../../domain/ids.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Log } from '../../platform/logging/logger.js';
import { Alarms } from '../../platform/queues/alarms.js';
import { ConflictsService } from '../conflicts/conflicts.service.js';
import { TraceService } from '../trace/trace.service.js';
import { LeaseLost, type Claim, type Failure } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import type { Attempt, AttemptEnd, AttemptFailed } from './attempt.js';
import { BringUpToDate } from './bring-up-to-date.js';
import { countFailedAttempt, lockDelivery, markDirty, saveFailure, saveReached } from './deliveries.sql.js';
import { PrepareAttempt } from './prepare-attempt.js';

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
    private readonly database: Database,
    private readonly work: WorkService,
    private readonly prepare: PrepareAttempt,
    private readonly bringUpToDate: BringUpToDate,
    private readonly conflicts: ConflictsService,
    private readonly trace: TraceService,
    private readonly alarms: Alarms,
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
    if (prepared.kind === 'nothing_to_do') return this.endWithoutCall(claim, prepared);
    const { attempt } = prepared;
    try {
      const end = prepared.kind === 'refused' ? prepared.end : await this.bringUpToDate.run(attempt);
      const status = await this.record(claim, attempt, end);
      this.report(attempt, end, { status, durationMs: Math.round(performance.now() - startedMs) });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      await this.sendAgain(attempt);
    }
  }

  /**
   * The target was where it should be when we looked. Whoever raises the wish holds the delivery's lock, so we look
   * again under it: otherwise a wish that came in between would lose the work row that it relies on.
   */
  private async endWithoutCall(claim: Claim, { target, internalId }: Place): Promise<void> {
    const wake = await this.database.transaction(async (tx) => {
      const [delivery] = await lockDelivery(tx, target, internalId);
      if (delivery?.is_behind === true) return this.work.rearm(tx, 'delivery', claim);
      await this.work.finish(tx, 'delivery', [claim]);
      return undefined;
    });
    if (wake !== undefined) await this.alarms.set([{ target, workKey: claim.key, wake, delayMs: 0 }]);
  }

  private async record(claim: Claim, attempt: Attempt, end: AttemptEnd): Promise<Recorded['status']> {
    const { status, wake } = await this.database.transaction(async (tx) => {
      if (end.conflict !== undefined) await this.conflicts.record(tx, [end.conflict]);
      return end.kind === 'reached'
        ? this.recordReached(tx, claim, attempt, end.externalId)
        : this.recordFailed(tx, claim, attempt, end);
    });
    if (wake !== undefined) await this.alarms.set([{ target: attempt.target, workKey: claim.key, ...wake }]);
    return status;
  }

  private async recordReached(
    tx: Tx,
    claim: Claim,
    attempt: Attempt,
    externalId: string | undefined,
  ): Promise<Recorded> {
    const [saved] = await saveReached(tx, {
      target: attempt.target,
      internal_id: attempt.internalId,
      revision: attempt.revision,
      dirty_seq: attempt.dirtySeq,
      began_at: claim.claimedAt,
      event_id: attempt.eventId,
    });
    // While an earlier call may still be carried out, what was reached is sent once more when that is over.
    const delayMs = saved?.is_behind === true ? 0 : (saved?.doubt_ms ?? undefined);
    let wake: Wake;
    if (delayMs === undefined) await this.work.finish(tx, 'delivery', [claim]);
    else wake = { wake: await this.work.rearm(tx, 'delivery', claim, delayMs), delayMs };
    await this.trace.write(tx, [{ ...tracedBy(attempt), status: 'DELIVERED', externalId, attempt: saved?.attempts }]);
    return { status: 'DELIVERED', wake };
  }

  private async recordFailed(tx: Tx, claim: Claim, attempt: Attempt, end: AttemptFailed): Promise<Recorded> {
    const { target, internalId, revision, eventId } = attempt;
    const place = { target, internal_id: internalId };
    const [counted] = await countFailedAttempt(tx, {
      ...place,
      revision,
      event_id: eventId,
      may_have_arrived: end.mayHaveArrived,
      doubt_ms: this.contract.settings.leaseMs,
    });
    const failure = this.failureOf(claim, end);
    const { code, detail, next } = failure;
    // What was refused is no longer what we want to say: the newer revision gets attempts of its own.
    const isDead = next.kind === 'dead' && counted?.is_outdated !== true;
    await saveFailure(tx, { ...place, status: isDead ? 'dead' : 'retrying', code, detail });
    const status = isDead ? 'DEAD' : 'FAILED';
    await this.trace.write(tx, [{ ...tracedBy(attempt), status, code, detail, attempt: counted?.attempts }]);
    if (next.kind === 'dead' && !isDead) {
      return { status, wake: { wake: await this.work.rearm(tx, 'delivery', claim), delayMs: 0 } };
    }
    const wake = await this.work.fail(tx, 'delivery', claim, failure);
    return { status, wake: wake === undefined || next.kind === 'dead' ? undefined : { wake, delayMs: next.delayMs } };
  }

  private failureOf(claim: Claim, end: AttemptFailed): Failure {
    const { code, detail } = end;
    const { retry } = this.contract.settings;
    const attempts = claim.retryCount + 1;
    if (end.class === 'final') return { code, detail, next: { kind: 'dead' } };
    const backoffMs = backoffDelayMs(attempts, retry, Math.random());
    const delayMs = Math.max(backoffMs, end.retryAfterMs ?? 0);
    if (end.class === 'throttled') return { code, detail, next: { kind: 'wait', delayMs } };
    if (attempts <= retry.maxRetry) return { code, detail, next: { kind: 'retry', delayMs } };
    const last = `All ${String(attempts)} attempts failed; the last one with ${code}: ${detail}`;
    return { code: 'retry.exhausted', detail: last, next: { kind: 'dead' } };
  }

  /** Our claim was taken over while a call may have been under way: what the target shows is no longer certain. */
  private async sendAgain(attempt: Attempt): Promise<void> {
    const { target, internalId } = attempt;
    const key = deliveryWorkKey(target, internalId);
    const armed = await this.database.transaction(async (tx) => {
      await markDirty(tx, target, internalId, this.contract.settings.leaseMs);
      return this.work.armDeliveries(tx, [{ key, topic: target, internal_id: internalId }]);
    });
    await this.alarms.set(armed.map(({ wake }) => ({ target, workKey: key, wake, delayMs: 0 })));
  }

  private report(attempt: Attempt, end: AttemptEnd, facts: { status: Recorded['status']; durationMs: number }): void {
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

interface Place {
  readonly target: string;
  readonly internalId: InternalId;
}

/** What was recorded of an attempt, and when the work is due again. */
interface Recorded {
  readonly status: 'DELIVERED' | 'FAILED' | 'DEAD';
  readonly wake: Wake;
}

/** When the work is due again, with the number of that waking; undefined when it is not. */
type Wake = { readonly wake: bigint; readonly delayMs: number } | undefined;

function tracedBy({ eventId, target, internalId, revision }: Attempt) {
  return { eventId, node: target, internalId, revision };
}
