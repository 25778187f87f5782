import { NO_CLOCKS, hasClocks, type ClockTree } from './field-clock.js';
import type { JsonObject } from './json/json.js';
import type { MergedField } from './merged-field.js';

/** What one source says about one object, by the entity type's canonical field names. */
export interface SourceRecord {
  /** Empty while the record is deleted. */
  readonly data: JsonObject;
  /** Version, or microseconds of `occurred_at`, of the last event that replaced or deleted the whole record. */
  readonly orderValue: bigint | undefined;
  /** When that event happened, where it said so: microseconds since 1970. */
  readonly occurredAt: bigint | undefined;
  /** Hash of what that event said, to tell a repeat from a second truth under one order value. */
  readonly contentHash: string | undefined;
  /** That event said that the thing is gone. */
  readonly isTombstone: boolean;
  /** Places that patches wrote, with what they were dated; they outlive older replacements and deletes. */
  readonly clocks: ClockTree;
  /** Fields that merge rules own, with what the rules need to remember; they outlive deletes. */
  readonly merged: ReadonlyMap<string, MergedField>;
}

export const EMPTY_RECORD: SourceRecord = {
  data: new Map(),
  orderValue: undefined,
  occurredAt: undefined,
  contentHash: undefined,
  isTombstone: false,
  clocks: NO_CLOCKS,
  merged: new Map(),
};

/** Its source says that the thing is gone, and has said nothing newer. */
export function isDeleted({ isTombstone, clocks }: Pick<SourceRecord, 'isTombstone' | 'clocks'>): boolean {
  return isTombstone && !hasClocks(clocks);
}
