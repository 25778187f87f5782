import { Inject, Injectable } from '@nestjs/common';
import { awaitedName } from '../../domain/awaited-name.js';
import { backoffDelayMs } from '../../domain/backoff.js';
import type { Contract } from '../../domain/contract/contract.js';
import { retryPolicyOf } from '../../domain/retry-passport.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database } from '../../platform/database/database.js';
import { saysThatItCannot } from '../../platform/database/database-fault.js';
import { Log } from '../../platform/logging/logger.js';
import { Alarms } from '../../platform/queues/alarms.js';
import type { AcceptedEvent } from '../inbox/accepted-event.js';
import { FinalOutcomes } from '../inbox/final-outcomes.js';
import { InboxService } from '../inbox/inbox.service.js';
import { TraceService } from '../trace/trace.service.js';
import { classOfError } from '../work/class-of-error.js';
import { Heartbeat } from '../work/heartbeat.js';
import { LeaseLost, passportOf, TAKE_OVER_MAX, type Claim, type Failure } from '../work/work.js';
import { WorkService } from '../work/work.service.js';
import type { Effect, ParkedEvent } from './decide-event.js';
import { eventToProcess, type EventToProcess } from './event-to-process.js';
import { ProcessEvent, type Processed } from './process-event.js';

/** Wider batches lock more entities for longer; narrower ones pay more statements per event. */
const BATCH_MAX = 200;
/** How long a lock that was not given is left alone before the next try, which spends no attempt. */
const BLOCKED_DELAY_MS = 500;

/**
 * Claims due events and runs them through `ProcessEvent`. An item that fails never takes its batch along: the batch is
 * split until it stands alone, and only then its failure is recorded, in a transaction of its own.
 */
@Injectable()
export class EventRunner {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly work: WorkService,
    private readonly heartbeat: Heartbeat,
    private readonly inbox: InboxService,
    private readonly outcomes: FinalOutcomes,
    private readonly processEvent: ProcessEvent,
    private readonly trace: TraceService,
    private readonly alarms: Alarms,
    private readonly log: Log,
  ) {}

  /** One batch of due events. False when nothing was due. */
  async runDue(): Promise<boolean> {
    const claims = await this.work.claimDue('event', BATCH_MAX, this.contract.settings.leaseMs);
    await this.runClaimed(claims);
    return claims.length > 0;
  }

  /** One event whose worker did not come back, alone. False when there is none. */
  async takeOver(): Promise<boolean> {
    const claim = await this.work.takeOverExpired('event', this.contract.settings.leaseMs);
    if (claim !== undefined && claim.takeOvers > TAKE_OVER_MAX) await this.fail(claim, POISON);
    else if (claim !== undefined) await this.runTakenOver(claim);
    return claim !== undefined;
  }

  /** A worker that comes back because the database takes nothing in has not been ended by the event. */
  private async runTakenOver(claim: Claim): Promise<void> {
    try {
      await this.runClaimed([claim]);
    } catch (error) {
      if (saysThatItCannot(error)) await this.work.forgiveTakeOver('event', claim).catch(() => undefined);
      throw error;
    }
  }

  /** Under a lease that is prolonged meanwhile: a batch that has to be split takes longer than one lease. */
  private async runClaimed(claims: readonly Claim[]): Promise<void> {
    if (claims.length === 0) return;
    const { leaseMs } = this.contract.settings;
    await this.heartbeat.during('event', claims, leaseMs, () => this.runEach(claims));
  }

  private async runEach(claims: readonly Claim[]): Promise<void> {
    const accepted = await this.inbox.events(claims.map(({ key }) => key));
    const rows = new Map<string, AcceptedEvent>(accepted.map((row) => [row.event_id, row]));
    const events: EventToProcess[] = [];
    for (const claim of claims) {
      const row = rows.get(claim.key);
      try {
        if (row === undefined) throw new Error(`Event ${claim.key} is not in the inbox.`);
        events.push(eventToProcess(claim, row));
      } catch (error) {
        await this.fail(claim, undecidable(error));
      }
    }
    await this.runBatch(events);
  }

  private async runBatch(events: readonly EventToProcess[]): Promise<void> {
    if (events.length === 0) return;
    let processed: Processed;
    try {
      processed = await this.processEvent.process(events);
    } catch (error) {
      if (error instanceof LeaseLost) {
        const lost = new Set(error.keys);
        return this.runBatch(events.filter(({ claim }) => !lost.has(claim.key)));
      }
      // Without a database there is nothing to record a failure in; the lease brings the work back.
      if (classOfError(error) === 'unrecordable') throw error;
      return this.splitOrFail(events, error);
    }
    this.outcomes.look();
    await this.alarms.set(processed.alarms);
    for (const effect of processed.effects) this.report(effect);
    for (const each of processed.parked) this.reportParked(each);
  }

  private async splitOrFail(events: readonly EventToProcess[], error: unknown): Promise<void> {
    const [only] = events;
    if (only === undefined) return;
    if (events.length === 1) return this.fail(only.claim, this.failureOf(only, error));
    const middle = Math.ceil(events.length / 2);
    await this.runBatch(events.slice(0, middle));
    await this.runBatch(events.slice(middle));
  }

  private failureOf({ claim, retry: asked }: EventToProcess, error: unknown): Failure {
    const detail = error instanceof Error ? error.message : String(error);
    const code = error instanceof SyncError ? error.code : 'event.undecidable';
    const failureClass = classOfError(error);
    if (failureClass === 'unrecordable') throw error;
    if (failureClass === 'throttled') {
      const next = { kind: 'wait', delayMs: BLOCKED_DELAY_MS } as const;
      return { code: 'storage.unavailable', detail, class: failureClass, next };
    }
    const retry = retryPolicyOf(asked, this.contract.settings.retry);
    const attempts = claim.retryCount + 1;
    if (failureClass === 'final' || attempts > retry.maxRetry) {
      return { code, detail, class: failureClass, next: { kind: 'dead' } };
    }
    const delayMs = backoffDelayMs(attempts, retry, Math.random());
    return { code, detail, class: failureClass, next: { kind: 'retry', delayMs } };
  }

  private async fail(claim: Claim, failure: Failure): Promise<void> {
    const { code, detail, next } = failure;
    const status = next.kind === 'dead' ? 'DEAD' : 'FAILED';
    try {
      const wake = await this.database.transaction(async (tx) => {
        const attempt = claim.retryCount + 1;
        const hop = { eventId: claim.key, node: 'worker', status, code, detail, attempt } as const;
        // A lock that is not given for an hour is one line of the trace, and not thousands.
        const isNews = next.kind !== 'wait' || claim.rejectReason !== code;
        if (isNews) await this.trace.write(tx, [{ ...hop, ...passportOf(claim) }]);
        return this.work.fail(tx, 'event', claim, failure);
      });
      if (wake !== undefined && next.kind !== 'dead') {
        await this.alarms.set([{ workKey: claim.key, wake, delayMs: next.delayMs }]);
      }
    } catch (error) {
      // Whoever has it now says what becomes of it.
      if (error instanceof LeaseLost) return;
      throw error;
    }
    this.log.trouble('event.failed', { eventId: claim.key, code, attempt: claim.retryCount + 1, status, detail });
  }

  private reportParked({ event, things, code }: ParkedEvent): void {
    const { eventId, source, eventType, correlationId } = event;
    this.log.stage('event.parked', {
      eventId,
      source,
      eventType,
      correlationId,
      code,
      waitsFor: things.map(awaitedName).join(' '),
    });
  }

  private report({ event, outcome, code, entity }: Effect): void {
    this.log.stage('event.processed', {
      eventId: event.eventId,
      source: event.source,
      eventType: event.eventType,
      correlationId: event.correlationId,
      outcome,
      code,
      internalId: entity?.internalId,
      revision: entity?.revision,
      attempt: event.claim.retryCount + 1,
    });
  }
}

const POISON: Failure = {
  code: 'work.poison',
  detail: `${String(TAKE_OVER_MAX)} workers in a row did not come back from it.`,
  class: 'final',
  next: { kind: 'dead' },
};

function undecidable(error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  return { code: 'event.undecidable', detail, class: 'final', next: { kind: 'dead' } };
}
