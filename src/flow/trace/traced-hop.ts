/** One row of the trace, as it is read back. */
export interface TracedHop {
  readonly event_id: string;
  readonly trace_id: string;
  readonly at: string;
  readonly node: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly detail: string | null;
  readonly internal_id: string | null;
  readonly revision: bigint | null;
  readonly external_id: string | null;
  readonly attempt: number | null;
  /** Attempts that failed before this one; null where the row stands for no attempt. */
  readonly retry_count: number | null;
  /** The delay before this attempt; null for a first one. */
  readonly retry_interval_ms: number | null;
  /** The code of the failure before this attempt. */
  readonly reject_reason: string | null;
  readonly duration_ms: number | null;
  /** The number of the contract that decided; null where nothing was, or before contracts had numbers. */
  readonly contract: number | null;
  /** JSON: the stages that the row stands for, each with status and time. */
  readonly hops: string | null;
}
