import type { FailureClass } from '../../domain/failure-class.js';
import type { AttemptPassport } from '../../domain/retry-passport.js';

/** A claim: work that is ours as long as its fence is the newest. From the end of its lease on anybody may take it over. */
export interface Claim extends AttemptPassport {
  readonly key: string;
  /** A source, or a target. */
  readonly topic: string;
  /** Of a delivery. */
  readonly internalId: string | undefined;
  readonly fence: bigint;
  /** How often in a row a worker took it over from one that did not come back. */
  readonly takeOvers: number;
  /** By the database's clock, RFC 3339. */
  readonly claimedAt: string;
}

/** What the trace tells of how an attempt came to be made. */
export function passportOf({ retryCount, retryIntervalMs, rejectReason }: AttemptPassport): AttemptPassport {
  return { retryCount, retryIntervalMs, rejectReason };
}

/** Work that ended this many workers in a row is set aside before it ends the next one. */
export const TAKE_OVER_MAX = 5;

/** Thrown inside a transaction when a claim was taken over: everything in it is undone. */
export class LeaseLost extends Error {
  constructor(readonly keys: readonly string[]) {
    super('A claim was taken over by another worker.');
  }
}

/** How a failed attempt goes on. */
export interface Failure {
  readonly code: string;
  readonly detail: string;
  /** Of the failure itself, also where it was the last one. */
  readonly class: FailureClass;
  readonly next:
    | { readonly kind: 'retry'; readonly delayMs: number }
    /** Waiting is not failing: no attempt is spent. */
    | { readonly kind: 'wait'; readonly delayMs: number }
    | { readonly kind: 'dead' };
}
