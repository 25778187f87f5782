import type { MergeRule } from '../../domain/contract/contract.js';
import type { Json, JsonObject } from '../../domain/json/json.js';
import type { SourceRecord } from '../../domain/source-record.js';

/** An event as a strategy sees it. */
export interface EventToDecide {
  /** Idempotency key and event type: no two events of a record have the same. */
  readonly key: string;
  /** By the order that the record's type declares; undefined where the event carries none. */
  readonly orderValue: bigint | undefined;
  /** Microseconds since 1970, where the event says it. */
  readonly occurredAt: bigint | undefined;
  /** Canonical fields, without those that merge rules own. */
  readonly fields: JsonObject;
  /** What the event adds to the fields that its merge rules own. */
  readonly shares: ReadonlyMap<string, Share>;
  /** Hash of the fields by value, however they were printed. */
  readonly contentHash: string;
}

export interface Share {
  readonly rule: MergeRule;
  readonly value: Json;
}

/** What an event means for the record it is about. Only `apply` changes anything. */
export type Decision =
  | { readonly kind: 'apply'; readonly record: SourceRecord }
  /** The record already is what the event says. */
  | { readonly kind: 'unchanged' }
  /** A newer event was here first. */
  | { readonly kind: 'stale' }
  /** The same order value with other content: which one is true is for a person to say. */
  | { readonly kind: 'conflict' };

/**
 * Pure: the same event and record always give the same decision.
 *
 * @throws SyncError `merge.unusable` where a merge rule cannot use what the event says
 */
export type Strategy = (event: EventToDecide, current: SourceRecord | undefined) => Decision;
