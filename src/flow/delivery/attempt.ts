import type { ExternalIdRules, RetryPolicy } from '../../domain/contract/contract.js';
import type { Target, TargetEntity } from '../../domain/contract/target.js';
import type { FailureClass } from '../../domain/failure-class.js';
import type { InternalId } from '../../domain/ids.js';
import type { AttemptPassport } from '../../domain/retry-passport.js';
import type { Code } from '../../domain/sync-error.js';
import type { NewConflict } from '../conflicts/conflicts.service.js';
import type { BodyInput } from './body-mapping.js';

/** Everything that one attempt needs to know, read before the first call. */
export interface Attempt extends AttemptPassport {
  readonly target: string;
  readonly rules: Target;
  readonly entityRules: TargetEntity;
  readonly externalIdRules: ExternalIdRules;
  readonly internalId: InternalId;
  readonly entityType: string;
  /** Of the entity as it will be sent: the newest when this was read. */
  readonly revision: bigint;
  /** Of the claim under which it is made. */
  readonly fence: bigint;
  /** Calls with unknown end so far; a later one makes the target dirty again. */
  readonly dirtySeq: bigint;
  /** The event that asked for the newest revision; its process is the one that this attempt belongs to. */
  readonly eventId: string;
  readonly correlationId: string;
  readonly traceparent: string | null;
  readonly input: Omit<BodyInput, 'mapping'>;
  /** The contract's settings, or what the event asked for. */
  readonly retry: RetryPolicy;
  /** On this process's monotonic clock: no call may begin or last beyond it, because then another worker may begin. */
  readonly deadlineMs: number;
}

/** How an attempt ended. */
export type AttemptEnd = AttemptReached | AttemptFailed;

export interface AttemptReached {
  readonly kind: 'reached';
  readonly externalId: string | undefined;
  /** Why no call was made. */
  readonly code?: Code;
  readonly conflict?: NewConflict;
}

export interface AttemptFailed {
  readonly kind: 'failed';
  readonly code: Code;
  readonly detail: string;
  readonly class: FailureClass;
  readonly retryAfterMs?: number | undefined;
  /** The target may have taken the call all the same. */
  readonly mayHaveArrived: boolean;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number;
  readonly conflict?: NewConflict;
}
