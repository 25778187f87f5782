import { composeKey } from '../../domain/business-key.js';
import type { EntityReference } from '../../domain/event.js';
import type { InternalId } from '../../domain/ids.js';
import type { JsonObject } from '../../domain/json/json.js';
import type { RecordReferences } from '../../domain/record-references.js';
import type { Path } from '../../domain/state-machine/path.js';
import type { SourceRecord } from '../../domain/source-record.js';

/** A record with whose it is and what it is about. */
export interface HeldRecord extends SourceRecord {
  readonly source: string;
  readonly entity: Pick<EntityReference, 'system' | 'type' | 'externalId'>;
  readonly references: RecordReferences;
  readonly lastEventId: string;
  readonly isChanged: boolean;
}

/** An entity with all its records, held under its lock while a batch is decided. */
export interface HeldEntity {
  readonly internalId: InternalId;
  readonly entityType: string;
  /** 0: it does not exist yet. */
  revision: bigint;
  data: JsonObject;
  /** It has records, and all of them are deleted. */
  isDeleted: boolean;
  isChanged: boolean;
  /** Undefined: its type had no states when it was last written. */
  path: Path | undefined;
  readonly records: Map<string, HeldRecord>;
}

/** The entities that one transaction holds. */
export interface HeldEntities {
  of(internalId: InternalId): HeldEntity;
}

export function recordKey(source: string, entity: Pick<EntityReference, 'system' | 'type' | 'externalId'>): string {
  return composeKey([source, entity.system, entity.type, entity.externalId]);
}
