import type { JsonObject } from './json/json.js';

/** What one source says about one object, by the entity type's canonical field names. */
export interface SourceRecord {
  readonly data: JsonObject;
  /** Version, or microseconds of `occurred_at`, of the last event that replaced the whole record. */
  readonly orderValue: bigint | undefined;
  /** Hash of what that event said, to tell a repeat from a second truth under one order value. */
  readonly contentHash: string | undefined;
  /** Fields that a patch wrote, with what it was dated; they outlive older replacements. */
  readonly fieldClocks: ReadonlyMap<string, FieldClock>;
}

export interface FieldClock {
  readonly order: bigint;
  /** Idempotency key of the writer: breaks ties the same way everywhere. */
  readonly key: string;
}

export const EMPTY_RECORD: SourceRecord = {
  data: new Map(),
  orderValue: undefined,
  contentHash: undefined,
  fieldClocks: new Map(),
};
