import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '../../platform/database/database.js';
import {
  armDeliveries,
  buryClaimed,
  claimByKey,
  claimDue,
  deleteClaimed,
  findOverdueDeliveries,
  forgiveTakeOver,
  rescheduleClaimed,
  takeOverExpired,
  type ArmedRow,
  type ArmRow,
  type ClaimRow,
  type WorkKind,
} from './work.sql.js';
import { LeaseLost, type Claim, type Failure } from './work.js';

/**
 * The work table in verbs. A claim commits first and alone; the effect and the end of the work commit together under
 * the claim's fence; a failure commits alone, so that it survives the rollback of the effect. Owns `work`.
 */
@Injectable()
export class WorkService {
  constructor(private readonly database: Database) {}

  /** Due work of a kind, oldest first. */
  async claimDue(kind: WorkKind, limit: number, leaseMs: number): Promise<Claim[]> {
    // By key, which for events is their order of receipt: the statement's rows come in none.
    const claims = (await claimDue(this.database, kind, limit, leaseMs)).map(claimOf);
    return claims.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Undefined when it is not due, or no longer there, or somebody else has it. */
  async claimByKey(kind: WorkKind, key: string, leaseMs: number): Promise<Claim | undefined> {
    return (await claimByKey(this.database, kind, key, leaseMs)).map(claimOf)[0];
  }

  /** One piece of work whose worker did not come back, of one topic or of any; or undefined. */
  async takeOverExpired(kind: WorkKind, leaseMs: number, topic: string | null = null): Promise<Claim | undefined> {
    return (await takeOverExpired(this.database, kind, leaseMs, topic)).map(claimOf)[0];
  }

  /** Takes back that a take-over counts towards poison: the work itself has not ended this worker. */
  forgiveTakeOver(kind: WorkKind, claim: Claim): Promise<void> {
    return forgiveTakeOver(this.database, kind, claim);
  }

  /** Keys of work that is late by a period: its alarm was lost, or there never was one. */
  findOverdueDeliveries(target: string, lateMs: number, limit: number): Promise<string[]> {
    return findOverdueDeliveries(this.database, target, lateMs, limit);
  }

  /** @throws LeaseLost with the keys that another worker has taken over */
  async finish(tx: Tx, kind: WorkKind, claims: readonly Claim[]): Promise<void> {
    const ended = new Set(await deleteClaimed(tx, kind, claims));
    const lost = claims.map(({ key }) => key).filter((key) => !ended.has(key));
    if (lost.length > 0) throw new LeaseLost(lost);
  }

  /**
   * Back to due with a clean slate: more was asked for while this was done, or it has to be done once more.
   *
   * @throws LeaseLost
   */
  async rearm(tx: Tx, kind: WorkKind, claim: Claim, delayMs = 0): Promise<bigint> {
    const { key, fence } = claim;
    const clean = { attempts: 0, code: null, detail: null, failureClass: null };
    const [row] = await rescheduleClaimed(tx, { kind, key, fence, delayMs, ...clean });
    if (row === undefined) throw new LeaseLost([key]);
    return row.wake;
  }

  /**
   * Back to due, with the attempts that were spent: nothing failed, and another batch is to do it.
   *
   * @throws LeaseLost
   */
  async putOff(tx: Tx, kind: WorkKind, { key, fence, retryCount: attempts }: Claim): Promise<void> {
    const asItWas = { kind, key, fence, delayMs: 0, code: null, detail: null, failureClass: null };
    const put = await rescheduleClaimed(tx, { ...asItWas, attempts });
    if (put.length === 0) throw new LeaseLost([key]);
  }

  /**
   * Records a failed attempt and when the next one is due.
   *
   * @returns the wake number for the alarm, or undefined for a dead letter
   * @throws LeaseLost
   */
  async fail(tx: Tx, kind: WorkKind, claim: Claim, failure: Failure): Promise<bigint | undefined> {
    const { key, fence, retryCount } = claim;
    const { code, detail, class: failureClass, next } = failure;
    if (next.kind === 'dead') {
      const buried = await buryClaimed(tx, { kind, key, fence, attempts: retryCount + 1, code, detail, failureClass });
      if (buried.length === 0) throw new LeaseLost([key]);
      return undefined;
    }
    const attempts = next.kind === 'retry' ? retryCount + 1 : retryCount;
    const { delayMs } = next;
    const [row] = await rescheduleClaimed(tx, { kind, key, fence, delayMs, attempts, code, detail, failureClass });
    if (row === undefined) throw new LeaseLost([key]);
    return row.wake;
  }

  /** See the statement: returns the deliveries that need an alarm now. */
  armDeliveries(tx: Tx, rows: readonly ArmRow[]): Promise<ArmedRow[]> {
    return rows.length === 0 ? Promise.resolve([]) : armDeliveries(tx, rows);
  }
}

function claimOf(row: ClaimRow): Claim {
  return {
    key: row.key,
    topic: row.topic,
    internalId: row.internal_id ?? undefined,
    fence: row.fence,
    retryCount: row.retry_count,
    retryIntervalMs: row.retry_interval_ms,
    rejectReason: row.reject_reason ?? undefined,
    takeOvers: row.claims,
    claimedAt: row.claimed_at,
  };
}
