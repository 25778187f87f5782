import type { Json, JsonObject } from '../../domain/json/json.js';
import { valueOf, type MergedField } from '../../domain/merged-field.js';
import { latestIn, type FieldClock } from '../../domain/field-clock.js';
import { isDeleted, type SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide } from './decision.js';
import { writeAt, writeUndated, type Patch, type Place } from './patch-places.js';

/**
 * The record with what the event wrote, each place where nothing newer was written. An event that writes nothing says
 * that the thing exists.
 *
 * @returns undefined where everything was written later, or the record was replaced or deleted later
 */
export function patchRecord(
  record: SourceRecord,
  event: EventToDecide,
  patch: ReadonlyMap<string, Patch>,
): SourceRecord | undefined {
  if (isBeforeWhole(event, record)) return undefined;
  const place: Place = { value: plainData(record), clocks: record.clocks };
  const written =
    event.orderValue === undefined
      ? writeUndated(place, patch, (field) => freshClock(field, event, record))
      : writeAt(place, patch, { order: event.orderValue, ...writerOf(event) });
  return written && recordWith(record, written, record.merged);
}

/** The record with other content; what its merge rules own is shown as well, unless the record is deleted. */
export function recordWith(
  record: SourceRecord,
  { value, clocks }: Place,
  merged: ReadonlyMap<string, MergedField>,
): SourceRecord {
  const data = new Map<string, Json>();
  if (!isDeleted({ isTombstone: record.isTombstone, clocks })) {
    for (const [field, plain] of value instanceof Map ? (value as JsonObject) : []) data.set(field, plain);
    for (const [field, state] of merged) data.set(field, valueOf(state));
  }
  return { ...record, data, clocks, merged };
}

/** What plain events wrote of the record. */
export function plainData({ data, merged }: SourceRecord): JsonObject {
  return merged.size === 0 ? data : new Map([...data].filter(([field]) => !merged.has(field)));
}

/** Who wrote, beside when by the record's order. */
export function writerOf({ key, occurredAt }: EventToDecide): Omit<FieldClock, 'order'> {
  return occurredAt === undefined ? { key } : { key, at: occurredAt };
}

/**
 * A patch is newer than a replacement of the same order value, and older than a delete. One without order value counts
 * as fresh, but it cannot say that it is newer than a delete.
 */
function isBeforeWhole({ orderValue }: EventToDecide, record: SourceRecord): boolean {
  if (orderValue === undefined) return isDeleted(record);
  if (record.orderValue === undefined) return false;
  return record.isTombstone ? orderValue <= record.orderValue : orderValue < record.orderValue;
}

/** Dated like what it replaces, so that the next dated event wins over it; undefined where nothing is dated. */
function freshClock(field: string, event: EventToDecide, record: SourceRecord): FieldClock | undefined {
  const member = record.clocks.members.get(field);
  const held = member === undefined ? undefined : latestIn(member)?.order;
  const whole = record.orderValue;
  const order = held === undefined || (whole !== undefined && whole > held) ? whole : held;
  return order === undefined ? undefined : { order, ...writerOf(event) };
}
