import type { JsonObject } from '../../domain/json/json.js';
import type { SourceRecord } from '../../domain/source-record.js';

/** An event as a strategy sees it. */
export interface EventToDecide {
  readonly idempotencyKey: string;
  /** By the order that the record's type declares; undefined where the event carries none. */
  readonly orderValue: bigint | undefined;
  /** Canonical fields. */
  readonly fields: JsonObject;
  /** Hash of the fields by value, however they were printed. */
  readonly contentHash: string;
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

/** Pure: the same event and record always give the same decision. */
export type Strategy = (event: EventToDecide, current: SourceRecord | undefined) => Decision;
