import type { InternalId } from '../../domain/ids.js';

/** What one target should have of one entity, what it has, and how the last attempt ended. */
export interface Delivery {
  readonly target: string;
  readonly internal_id: InternalId;
  readonly entity_type: string;
  readonly wanted_revision: bigint;
  readonly reached_revision: bigint;
  readonly dirty_seq: bigint;
  readonly clean_seq: bigint;
  /** The event that asked for the newest revision. */
  readonly wanted_by: string;
  readonly status: string;
  readonly attempts: number;
  readonly last_code: string | null;
  readonly last_detail: string | null;
  readonly delivered_at: string | null;
}
