import { Injectable } from '@nestjs/common';
import type { InternalId } from '../../domain/ids.js';
import { writeJson } from '../../domain/json/write-json.js';
import { currentState, readPath, writePath } from '../../domain/state-machine/path.js';
import { isDeleted } from '../../domain/source-record.js';
import type { Tx } from '../../platform/database/database.js';
import {
  findEntity,
  findRecordsOf,
  findStates,
  lockEntities,
  lockUnborn,
  saveEntities,
  saveRecords,
} from './entities.sql.js';
import type { EntityRow, EntityView, RecordView } from './entity-view.js';
import { recordKey, type HeldEntities, type HeldEntity } from './held-entities.js';
import { parseObject, readRecord, writeRecord } from './stored-record.js';

/** What the sources say and what we make of it. Owns `records` and `entities`. */
@Injectable()
export class EntitiesService {
  /**
   * Takes the entities' locks, in one order everywhere, and reads them with their records. An id without a row is an
   * entity that does not exist yet: its revision is 0.
   *
   * @param newEntities of them, those that nobody but this transaction can know
   */
  async hold(
    tx: Tx,
    wanted: ReadonlyMap<InternalId, string>,
    newEntities: ReadonlySet<InternalId> = new Set(),
  ): Promise<HeldEntities> {
    const rows = await lockAll(
      tx,
      [...wanted.keys()].filter((internalId) => !newEntities.has(internalId)),
    );
    const held = new Map<InternalId, HeldEntity>();
    for (const [internalId, entityType] of wanted) {
      const row = rows.get(internalId);
      held.set(internalId, {
        internalId,
        entityType: row?.entity_type ?? entityType,
        revision: row?.revision ?? 0n,
        data: row === undefined ? new Map() : parseObject(row.data),
        isDeleted: row?.is_deleted ?? false,
        isChanged: false,
        path: typeof row?.path === 'string' ? readPath(row.path) : undefined,
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
      const rows = changed.map(({ internalId, entityType, revision, data, isDeleted, path }) => ({
        internal_id: internalId,
        entity_type: entityType,
        revision: String(revision),
        data: writeJson(data),
        is_deleted: isDeleted,
        state: path === undefined ? null : currentState(path),
        path: path === undefined ? null : writePath(path),
      }));
      await saveEntities(tx, rows);
    }
    if (records.length > 0) await saveRecords(tx, records);
  }

  /** The states that entities are in; those without one are left out. */
  async states(tx: Tx, internalIds: readonly InternalId[]): Promise<ReadonlyMap<InternalId, string>> {
    const rows = internalIds.length === 0 ? [] : await findStates(tx, internalIds);
    return new Map(rows.map(({ internal_id, state }) => [internal_id, state]));
  }

  /** One entity as it is now; undefined when there is none. */
  async find(tx: Tx, internalId: InternalId): Promise<EntityView | undefined> {
    return (await findEntity(tx, internalId))[0];
  }

  async recordsOf(tx: Tx, internalId: InternalId): Promise<RecordView[]> {
    const rows = await findRecordsOf(tx, [internalId]);
    return rows.map((row) => ({ ...row, is_deleted: isDeleted(readRecord(row)) }));
  }
}

/** Those that exist; the locks of the others are taken as well, so that two transactions cannot both make one. */
async function lockAll(tx: Tx, internalIds: readonly InternalId[]): Promise<ReadonlyMap<InternalId, EntityRow>> {
  if (internalIds.length === 0) return new Map();
  const rows = await lockEntities(tx, internalIds);
  const born = new Set(rows.map(({ internal_id }) => internal_id));
  const unborn = internalIds.filter((internalId) => !born.has(internalId));
  if (unborn.length > 0) {
    await lockUnborn(tx, unborn);
    rows.push(...(await lockEntities(tx, unborn)));
  }
  return new Map(rows.map((row) => [row.internal_id, row]));
}
