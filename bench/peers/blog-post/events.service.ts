import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DatabaseError } from 'pg';
import { DataSource, QueryFailedError, type EntityManager } from 'typeorm';
import type { EventDto } from './event.dto.js';
import { EventsTable } from './events.table.js';
import { ProcessedKeysTable } from './processed-keys.table.js';
import { RecordsTable } from './records.table.js';

export type Receipt =
  | { readonly status: 'processed'; readonly event_id: string }
  | { readonly status: 'duplicate'; readonly idempotency_key: string };

const PROCESSED_KEYS_CONSTRAINT = 'processed_keys_once';

@Injectable()
export class EventsService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Applies an event once: key, record and event commit in one transaction, or nothing does. */
  async process(source: string, event: EventDto): Promise<Receipt> {
    try {
      return await this.dataSource.transaction((manager) => this.applyOnce(manager, source, event));
    } catch (error) {
      if (!isRepeatedKey(error)) throw error;
      return { status: 'duplicate', idempotency_key: event.idempotency_key };
    }
  }

  private async applyOnce(manager: EntityManager, source: string, event: EventDto): Promise<Receipt> {
    const key = { source, eventType: event.event_type, idempotencyKey: event.idempotency_key };
    // `insert` writes what the database generated back into its argument, so each row is an object of its own.
    await manager.getRepository(ProcessedKeysTable).insert({ ...key });
    await this.saveRecordIfNewer(manager, source, event);
    const row = manager.getRepository(EventsTable).create({ ...key, payload: event.payload });
    await manager.getRepository(EventsTable).insert(row);
    return { status: 'processed', event_id: row.id };
  }

  private async saveRecordIfNewer(manager: EntityManager, source: string, event: EventDto): Promise<void> {
    await manager
      .getRepository(RecordsTable)
      .createQueryBuilder('record')
      .insert()
      .values({
        source,
        entityType: event.entity.type,
        externalId: event.entity.external_id,
        version: event.version,
        data: event.payload,
      })
      .orUpdate(['version', 'data', 'updated_at'], ['source', 'entity_type', 'external_id'], {
        overwriteCondition: { where: '"record"."version" < EXCLUDED."version"' },
      })
      .execute();
  }
}

function isRepeatedKey(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const cause: unknown = error.driverError;
  return cause instanceof DatabaseError && cause.constraint === PROCESSED_KEYS_CONSTRAINT;
}
