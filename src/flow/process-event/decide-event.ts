import { composeEntity } from '../../domain/compose.js';
import { composeKey } from '../../domain/business-key.js';
import type { Contract, EntityType } from '../../domain/contract/contract.js';
import type { InternalId } from '../../domain/ids.js';
import { canonicalJson } from '../../domain/json/canonical-json.js';
import type { RecordReferences } from '../../domain/record-references.js';
import { isDeleted, type SourceRecord } from '../../domain/source-record.js';
import type { Code } from '../../domain/sync-error.js';
import type { NewConflict } from '../conflicts/conflicts.service.js';
import { recordKey, type HeldEntity, type HeldRecord } from '../entities/held-entities.js';
import type { EventToDecide } from '../strategies/decision.js';
import { strategyOf } from '../strategies/strategy-of.js';
import { decideReferences, type NamedReferences } from './decide-references.js';
import { eventToDecide } from './event-to-decide.js';
import type { EventToProcess } from './event-to-process.js';

/** An event with the other entities that it names. */
export interface ToldEvent {
  readonly event: EventToProcess;
  readonly named: NamedReferences;
}

export interface EntityRevision {
  readonly internalId: InternalId;
  readonly revision: bigint;
}

/** What became of one event; nothing of it is stored yet. */
export interface Effect {
  readonly event: EventToProcess;
  readonly outcome: 'applied' | 'unchanged' | 'stale' | 'conflict';
  readonly code?: Code;
  readonly detail?: string;
  /** The entity that the event is about, and its revision after the event. */
  readonly entity?: EntityRevision;
  /** Targets that have to be brought up to date. */
  readonly deliverTo: readonly string[];
  readonly conflict?: NewConflict;
  /** Questions about links of the event that were not made. */
  readonly linkConflicts?: readonly NewConflict[];
}

/**
 * Decides one event against the entity that it is about, and changes the held entity accordingly. The entity's lock
 * is held, so nothing else changes it meanwhile.
 *
 * @throws Error when the contract no longer knows the event's types
 * @throws SyncError `merge.unusable`; nothing of the event is applied then
 */
export function decideEvent({ event, named }: ToldEvent, entity: HeldEntity, contract: Contract): Effect {
  const eventType = contract.eventTypes.get(event.eventType);
  const entityType = contract.entityTypes.get(event.entity.type);
  if (eventType === undefined || entityType === undefined) {
    throw new Error(`The contract no longer has event type ${event.eventType} or entity type ${event.entity.type}.`);
  }
  const key = recordKey(event.source, event.entity);
  const current = entity.records.get(key);
  const rules = { eventType, entityType, contract };
  const toDecide = eventToDecide(event, rules);
  const strategy = strategyOf(eventType, entityType);
  const decision = strategy(toDecide, withRulesOf(entityType, current));
  const references = decideReferences({ event, named, ...rules, toDecide, current, strategy });
  const about = (): EntityRevision => ({ internalId: entity.internalId, revision: entity.revision });
  switch (decision.kind) {
    case 'unchanged':
      return { event, outcome: 'unchanged', code: 'content.unchanged', entity: about(), deliverTo: [] };
    case 'stale':
      // What no field keeps may still be the newest that was said about it.
      if (current !== undefined && references !== current.references) {
        entity.records.set(key, { ...current, references, isChanged: true });
      }
      return { event, outcome: 'stale', code: 'version.stale', entity: about(), deliverTo: [] };
    case 'conflict': {
      const conflict = versionConflict(event, entity, current, toDecide);
      return { event, outcome: 'conflict', code: 'version.conflict', entity: about(), deliverTo: [], conflict };
    }
    case 'apply': {
      entity.records.set(key, heldRecord(event, decision.record, references));
      if (!recompose(entity, entityType)) {
        return { event, outcome: 'unchanged', code: 'content.unchanged', entity: about(), deliverTo: [] };
      }
      // The source of a change knows it already.
      const deliverTo = eventType.deliverTo.filter((target) => target !== event.source);
      return { event, outcome: 'applied', entity: about(), deliverTo };
    }
  }
}

/** The event whose key was used for other content: it is put before a person and changes nothing else. */
export function keyConflict(event: EventToProcess, first: string): Effect {
  const conflict: NewConflict = {
    kind: 'key',
    subject: event.eventId,
    system: event.entity.system,
    entityType: event.entity.type,
    externalId: event.entity.externalId,
    eventId: event.eventId,
    candidates: [
      { event_id: first, role: 'kept' },
      { event_id: event.eventId, role: 'set_aside', idempotency_key: event.idempotencyKey },
    ],
  };
  return { event, outcome: 'conflict', code: 'key.conflict', deliverTo: [], conflict };
}

/** What a rule made of a field that no rule owns any more stays as a plain value, which the next event may write. */
function withRulesOf({ mergedFields }: EntityType, record: HeldRecord | undefined): HeldRecord | undefined {
  if (record === undefined || [...record.merged.keys()].every((field) => mergedFields.has(field))) return record;
  return { ...record, merged: new Map([...record.merged].filter(([field]) => mergedFields.has(field))) };
}

function heldRecord(event: EventToProcess, record: SourceRecord, references: RecordReferences): HeldRecord {
  const { source, entity, eventId: lastEventId } = event;
  return { ...record, references, source, entity, lastEventId, isChanged: true };
}

/** Composes anew. The revision grows only when a composed value really changed, or the entity is new, gone or back. */
function recompose(entity: HeldEntity, entityType: EntityType): boolean {
  const records = [...entity.records.values()];
  const data = composeEntity(
    records.map((record) => ({ ...record, system: record.entity.system, externalId: record.entity.externalId })),
    entityType,
  );
  const isGone = records.every(isDeleted);
  const isSame = isGone === entity.isDeleted && canonicalJson(data) === canonicalJson(entity.data);
  if (entity.revision > 0n && isSame) return false;
  entity.data = data;
  entity.isDeleted = isGone;
  entity.revision += 1n;
  entity.isChanged = true;
  return true;
}

function versionConflict(
  event: EventToProcess,
  entity: HeldEntity,
  current: HeldRecord | undefined,
  { orderValue, contentHash }: EventToDecide,
): NewConflict {
  return {
    kind: 'version',
    subject: composeKey([recordKey(event.source, event.entity), String(orderValue), contentHash]),
    system: event.entity.system,
    entityType: event.entity.type,
    externalId: event.entity.externalId,
    internalId: entity.internalId,
    eventId: event.eventId,
    candidates: [
      { event_id: current?.lastEventId ?? null, role: 'kept' },
      { event_id: event.eventId, role: 'set_aside', order_value: String(orderValue) },
    ],
  };
}
