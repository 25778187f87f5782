import { readStoredJson } from '../../domain/json/read-json.js';
import type { JsonObject } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { ClockTree } from '../../domain/field-clock.js';
import { parseReferences, writeReferences } from '../../domain/record-references.js';
import type { RecordRow } from './entity-view.js';
import type { HeldEntity, HeldRecord } from './held-entities.js';
import { objectIn, readClock, readClocks, writeClock, writeClocks } from './stored-clock.js';
import { readMerged, writeMerged } from './stored-merged-fields.js';

export function readRecord(row: RecordRow): HeldRecord {
  return {
    source: row.source,
    entity: { system: row.system, type: row.entity_type, externalId: row.external_id },
    data: parseObject(row.data),
    orderValue: row.order_value === null ? undefined : BigInt(row.order_value),
    occurredAt: row.occurred_at_micros === null ? undefined : BigInt(row.occurred_at_micros),
    contentHash: row.content_hash ?? undefined,
    isTombstone: row.is_tombstone,
    clocks: readRecordClocks(row),
    merged: readMerged(parseObject(row.merged)),
    references: parseReferences(row.refs),
    lastEventId: row.last_event_id,
    isChanged: false,
  };
}

export function writeRecord(entity: HeldEntity, record: HeldRecord): RecordRow {
  const { opened, members } = record.clocks;
  const fieldClocks = new Map([...members].map(([field, clocks]) => [field, writeClocks(clocks)]));
  return {
    source: record.source,
    system: record.entity.system,
    entity_type: record.entity.type,
    external_id: record.entity.externalId,
    internal_id: entity.internalId,
    order_value: record.orderValue === undefined ? null : String(record.orderValue),
    occurred_at_micros: record.occurredAt === undefined ? null : String(record.occurredAt),
    content_hash: record.contentHash ?? null,
    is_tombstone: record.isTombstone,
    field_clocks: writeJson(fieldClocks),
    existence_clock: opened === undefined ? null : writeJson(writeClock(opened)),
    merged: writeJson(writeMerged(record.merged)),
    data: writeJson(record.data),
    refs: writeReferences(record.references),
    last_event_id: record.lastEventId,
  };
}

/** @throws Error when the text is no JSON object, which only a bug can cause */
export function parseObject(text: string): JsonObject {
  return objectIn(readStoredJson(text));
}

function readRecordClocks({ field_clocks, existence_clock }: RecordRow): ClockTree {
  const fields = [...parseObject(field_clocks)];
  const members = new Map(fields.map(([field, clocks]) => [field, readClocks(objectIn(clocks))]));
  return existence_clock === null ? { members } : { opened: readClock(parseObject(existence_clock)), members };
}
