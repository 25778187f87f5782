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

export interface FieldClock {
  readonly order: bigint;
  /** Idempotency key and event type of the writer: breaks ties the same way everywhere. */
  readonly key: string;
  /** When the writer's event happened, where it said so: microseconds since 1970. */
  readonly at?: bigint;
}

/** When a place was last written, and when the places below it were, where that was later. */
export interface ClockTree {
  /** The last write of the whole value. */
  readonly written?: FieldClock;
  /** The last statement that an object stands here, whatever is in it. */
  readonly opened?: FieldClock;
  readonly members: ReadonlyMap<string, ClockTree>;
}

export const NO_CLOCKS: ClockTree = { members: new Map() };

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

export function hasClocks({ written, opened, members }: ClockTree): boolean {
  return written !== undefined || opened !== undefined || members.size > 0;
}

/** The later of two writes wins; keys break the tie. The same writer counts as later than itself. */
export function isLater(one: FieldClock, other: FieldClock): boolean {
  return one.order === other.order ? one.key >= other.key : one.order > other.order;
}

/** The latest of all clocks in the tree. */
export function latestIn({ written, opened, members }: ClockTree): FieldClock | undefined {
  return [written, opened, ...[...members.values()].map(latestIn)].reduce(laterOf, undefined);
}

export function laterOf(one: FieldClock | undefined, other: FieldClock | undefined): FieldClock | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isLater(one, other) ? one : other;
}
