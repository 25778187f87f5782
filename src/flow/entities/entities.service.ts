import { Injectable } from '@nestjs/common';
import type { InternalId } from '../../domain/ids.js';
import { isJsonObject, type JsonObject } from '../../domain/json/json.js';
import { readJson } from '../../domain/json/read-json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { parseReferences, writeReferences } from '../../domain/record-references.js';
import type { FieldClock } from '../../domain/source-record.js';
import type { Tx } from '../../platform/database/database.js';
import { findEntity, findRecordsOf, lockEntities, saveEntities, saveRecords } from './entities.sql.js';
import type { EntityView, RecordRow } from './entity-view.js';
import { recordKey, type HeldEntities, type HeldEntity, type HeldRecord } from './held-entities.js';

/** What the sources say and what we make of it. Owns `records` and `entities`. */
@Injectable()
export class EntitiesService {
  /**
   * Takes the entities' locks, in one order everywhere, and reads them with their records. An id without a row is an
   * entity that does not exist yet: its revision is 0.
   */
  async hold(tx: Tx, wanted: ReadonlyMap<InternalId, string>): Promise<HeldEntities> {
    const internalIds = [...wanted.keys()];
    const rows = new Map((await lockEntities(tx, internalIds)).map((row) => [row.internal_id, row]));
    const held = new Map<InternalId, HeldEntity>();
    for (const [internalId, entityType] of wanted) {
      const row = rows.get(internalId);
      held.set(internalId, {
        internalId,
        entityType: row?.entity_type ?? entityType,
        revision: row?.revision ?? 0n,
        data: row === undefined ? new Map() : parseData(row.data),
        isChanged: false,
        records: new Map(),
      });
    }
    // Only entities that exist can have records.
    for (const record of rows.size === 0 ? [] : await findRecordsOf(tx, [...rows.keys()])) {
      const read = readRecord(record);
      held.get(record.internal_id)?.records.set(recordKey(read.source, read.entity), read);
    }
    return {
      of(internalId) {
        const entity = held.get(internalId);
        if (entity === undefined) throw new Error(`Entity ${internalId} is not held.`);
        return entity;
      },
    };
  }

  /** Saves what a batch changed of the entities that it holds. */
  async save(tx: Tx, held: Iterable<HeldEntity>): Promise<void> {
    const entities: HeldEntity[] = [...held];
    const changed = entities.filter((entity) => entity.isChanged);
    const records = entities.flatMap((entity) =>
      [...entity.records.values()].filter((record) => record.isChanged).map((record) => writeRecord(entity, record)),
    );
    if (changed.length > 0) {
      const rows = changed.map(({ internalId, entityType, revision, data }) => ({
        internal_id: internalId,
        entity_type: entityType,
        revision: String(revision),
        data: writeJson(data),
      }));
      await saveEntities(tx, rows);
    }
    if (records.length > 0) await saveRecords(tx, records);
  }

  /** One entity as it is now; undefined when there is none. */
  async find(tx: Tx, internalId: InternalId): Promise<EntityView | undefined> {
    return (await findEntity(tx, internalId))[0];
  }

  recordsOf(tx: Tx, internalId: InternalId): Promise<RecordRow[]> {
    return findRecordsOf(tx, [internalId]);
  }
}

function parseData(text: string): JsonObject {
  const { value } = readJson(text);
  if (!isJsonObject(value)) throw new Error('Stored data is no JSON object.');
  return value;
}

interface StoredClock {
  readonly order: string;
  readonly key: string;
}

function readRecord(row: RecordRow): HeldRecord {
  const clocks = Object.entries(JSON.parse(row.field_clocks) as Record<string, StoredClock>);
  return {
    source: row.source,
    entity: { system: row.system, type: row.entity_type, externalId: row.external_id },
    data: parseData(row.data),
    orderValue: row.order_value === null ? undefined : BigInt(row.order_value),
    contentHash: row.content_hash ?? undefined,
    fieldClocks: new Map(
      clocks.map(([field, { order, key }]): [string, FieldClock] => [field, { order: BigInt(order), key }]),
    ),
    references: parseReferences(row.refs),
    lastEventId: row.last_event_id,
    isChanged: false,
  };
}

function writeRecord(entity: HeldEntity, record: HeldRecord): RecordRow {
  const clocks = [...record.fieldClocks].map(([field, { order, key }]): [string, StoredClock] => [
    field,
    { order: String(order), key },
  ]);
  return {
    source: record.source,
    system: record.entity.system,
    entity_type: record.entity.type,
    external_id: record.entity.externalId,
    internal_id: entity.internalId,
    order_value: record.orderValue === undefined ? null : String(record.orderValue),
    content_hash: record.contentHash ?? null,
    field_clocks: JSON.stringify(Object.fromEntries(clocks)),
    data: writeJson(record.data),
    refs: writeReferences(record.references),
    last_event_id: record.lastEventId,
  };
}
