import { performance } from 'node:perf_hooks';
import { Injectable } from '@nestjs/common';
import type { Incoming, Outgoing } from '../../platform/http/exchange.js';
import { preferredWaitSeconds } from '../../platform/http/preferred-wait.js';
import { rawBody } from '../../platform/http/raw-body.js';
import { isFinal } from '../inbox/event-standing.js';
import { FinalOutcomes, type Wait } from '../inbox/final-outcomes.js';
import type { FullVerdict } from '../inbox/verdict.js';

/** What a request keeps in memory beside its body, about. */
const OTHER_BYTES = 4_096;

/** Tells the requests that wait for the outcome of their events (`Prefer: wait=5`) from those that do not. */
@Injectable()
export class OutcomeWaits {
  constructor(private readonly outcomes: FinalOutcomes) {}

  /** Undefined for nearly every request, which then pays for nothing but a look at one header. */
  askedBy(request: Incoming, events = 1): OutcomeWait | undefined {
    const seconds = preferredWaitSeconds(request);
    if (seconds === undefined) return undefined;
    const { socket } = request.raw;
    return new OutcomeWait(this.outcomes, seconds, {
      endsAtMs: performance.now() + seconds * 1_000,
      bytes: Math.ceil((rawBody(request).length + OTHER_BYTES) / events),
      isAbandoned: () => socket.destroyed,
    });
  }
}

/** The wait of one request, for all of its events. */
export class OutcomeWait {
  private isKept = true;

  constructor(
    private readonly outcomes: FinalOutcomes,
    private readonly seconds: number,
    private readonly wait: Wait,
  ) {}

  /** The verdict, with the outcome once it is final or with where the event stands when the wait is over. */
  async settle(verdict: FullVerdict): Promise<FullVerdict> {
    if (verdict.kind === 'conflict' || isFinal(verdict.standing)) return verdict;
    const standing = await this.outcomes.wait(verdict.eventId, verdict.standing, this.wait);
    if (standing !== undefined) return { ...verdict, standing };
    this.isKept = false;
    return verdict;
  }

  /** Tells the sender that it was waited for, which is not so where too many waited already. */
  confirm(reply: Outgoing): void {
    if (this.isKept) reply.header('preference-applied', `wait=${String(this.seconds)}`);
  }
}
