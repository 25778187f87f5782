import { Inject, Injectable } from '@nestjs/common';
import { backoffDelayMs } from '../../domain/backoff.js';
import { deliveryWorkKey } from '../../domain/business-key.js';
import type { Contract } from '../../domain/contract/contract.js';
import type { InternalId } from '../../domain/ids.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Alarms } from '../../platform/queues/alarms.js';
import { ConflictsService } from '../conflicts/conflicts.service.js';
import { TraceService } from '../trace/trace.service.js';
import { passportOf, type Claim, type Failure } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import type { Attempt, AttemptEnd, AttemptFailed, AttemptReached } from './attempt.js';
import { countFailedAttempt, lockDelivery, markDirty, saveFailure, saveReached } from './deliveries.sql.js';

/**
 * How attempts end in the database: the delivery, the end or the next due time of its work, conflicts and trace commit
 * together under the claim's fence; the alarm is set afterwards.
 */
@Injectable()
export class RecordAttempt {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly work: WorkService,
    private readonly conflicts: ConflictsService,
    private readonly trace: TraceService,
    private readonly alarms: Alarms,
  ) {}

  /** @throws LeaseLost when the claim was taken over; nothing is recorded then */
  async record(claim: Claim, attempt: Attempt, end: AttemptEnd): Promise<AttemptStatus> {
    const { status, wake } = await this.database.transaction(async (tx) => {
      const recorded =
        end.kind === 'reached'
          ? await this.recordReached(tx, claim, attempt, end)
          : await this.recordFailed(tx, claim, attempt, end);
      // After the delivery and its work, as `ProcessEvent` does: both may ask the same question about a link.
      if (end.conflict !== undefined) await this.conflicts.record(tx, [end.conflict]);
      return recorded;
    });
    if (wake !== undefined) await this.alarms.set([{ target: attempt.target, workKey: claim.key, ...wake }]);
    return status;
  }

  /**
   * The target was where it should be when we looked. Whoever raises the wish holds the delivery's lock, so we look
   * again under it: otherwise a wish that came in between would lose the work row that it relies on.
   */
  async endWithoutCall(claim: Claim, { target, internalId }: Place): Promise<void> {
    const wake = await this.database.transaction(async (tx) => {
      const [delivery] = await lockDelivery(tx, target, internalId);
      if (delivery?.is_behind === true) return this.work.rearm(tx, 'delivery', claim);
      await this.work.finish(tx, 'delivery', [claim]);
      return undefined;
    });
    if (wake !== undefined) await this.alarms.set([{ target, workKey: claim.key, wake, delayMs: 0 }]);
  }

  /** Our claim was taken over while a call may have been under way: what the target shows is no longer certain. */
  async sendAgain(attempt: Attempt): Promise<void> {
    const { target, internalId } = attempt;
    const key = deliveryWorkKey(target, internalId);
    const armed = await this.database.transaction(async (tx) => {
      await markDirty(tx, target, internalId, this.contract.settings.leaseMs);
      return this.work.armDeliveries(tx, [{ key, topic: target, internal_id: internalId }]);
    });
    await this.alarms.set(armed.map(({ wake }) => ({ target, workKey: key, wake, delayMs: 0 })));
  }

  /** The target may show something else than we think. */
  markDirty({ topic, internalId }: Claim): Promise<void> {
    return markDirty(this.database, topic, internalId ?? '', this.contract.settings.leaseMs);
  }

  private async recordReached(
    tx: Tx,
    claim: Claim,
    attempt: Attempt,
    { externalId, code }: AttemptReached,
  ): Promise<Recorded> {
    const [saved] = await saveReached(tx, {
      target: attempt.target,
      internal_id: attempt.internalId,
      revision: attempt.revision,
      dirty_seq: attempt.dirtySeq,
      began_at: claim.claimedAt,
      event_id: attempt.eventId,
      code: code ?? null,
    });
    // While an earlier call may still be carried out, what was reached is sent once more when that is over.
    const delayMs = saved?.is_behind === true ? 0 : (saved?.doubt_ms ?? undefined);
    let wake: Wake;
    if (delayMs === undefined) await this.work.finish(tx, 'delivery', [claim]);
    else wake = { wake: await this.work.rearm(tx, 'delivery', claim, delayMs), delayMs };
    const hop = { status: 'DELIVERED' as const, code, externalId, attempt: saved?.attempts };
    await this.trace.write(tx, [{ ...tracedBy(attempt), ...hop }]);
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
    const failure = failureOf(attempt, end, counted?.attempts ?? 1);
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
}

function failureOf({ retry, retryCount }: Attempt, end: AttemptFailed, callsSoFar: number): Failure {
  const { code, detail, class: failureClass } = end;
  const attempts = retryCount + 1;
  if (failureClass === 'final') return { code, detail, class: failureClass, next: { kind: 'dead' } };
  // Waiting spends no attempt, but a target that goes on asking for patience is called less and less often.
  const growth = failureClass === 'throttled' ? callsSoFar : attempts;
  const backoffMs = backoffDelayMs(growth, retry, Math.random());
  const delayMs = Math.max(backoffMs, end.retryAfterMs ?? 0);
  if (failureClass === 'throttled') return { code, detail, class: failureClass, next: { kind: 'wait', delayMs } };
  if (attempts <= retry.maxRetry) return { code, detail, class: failureClass, next: { kind: 'retry', delayMs } };
  const last = `All ${String(attempts)} attempts failed; the last one with ${code}: ${detail}`;
  return { code: 'retry.exhausted', detail: last, class: failureClass, next: { kind: 'dead' } };
}

export type AttemptStatus = 'DELIVERED' | 'FAILED' | 'DEAD';

interface Place {
  readonly target: string;
  readonly internalId: InternalId;
}

/** What was recorded of an attempt, and when the work is due again. */
interface Recorded {
  readonly status: AttemptStatus;
  readonly wake: Wake;
}

/** When the work is due again, with the number of that waking; undefined when it is not. */
type Wake = { readonly wake: bigint; readonly delayMs: number } | undefined;

function tracedBy(attempt: Attempt) {
  const { eventId, target, internalId, revision } = attempt;
  return { eventId, node: target, internalId, revision, ...passportOf(attempt) };
}
