import { awaitedMapping, type AwaitedThing } from '../../domain/awaited-name.js';
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
import { decideStep, firstPath, type Step } from './decide-step.js';
import { eventToDecide, type EventRules } from './event-to-decide.js';
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
  readonly outcome: 'applied' | 'unchanged' | 'stale' | 'conflict' | 'refused';
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

/** An event that cannot go on before something else has happened. Nothing of it is applied. */
export interface ParkedEvent {
  readonly event: EventToProcess;
  /** Any of them will do. */
  readonly things: readonly AwaitedThing[];
  /** Of a state: any of these will do. */
  readonly states?: readonly string[];
  readonly code: Code;
  readonly detail: string;
}

/** What became of an event. */
export type Decided = ({ readonly kind: 'effect' } & Effect) | ({ readonly kind: 'parked' } & ParkedEvent);

/**
 * Decides one event against the entity that it is about, and changes the held entity accordingly. The entity's lock
 * is held, so nothing else changes it meanwhile. The state is judged first and apart from the data: an event that comes
 * too early or that the graph refuses changes nothing, and one with old data may still move the state.
 *
 * @throws Error when the contract no longer knows the event's types
 * @throws SyncError `merge.unusable`; nothing of the event is applied then
 */
export function decideEvent(told: ToldEvent, entity: HeldEntity, contract: Contract): Decided {
  const { event } = told;
  const rules = rulesOf(event, contract);
  const step = decideStep(event, entity.path, rules);
  if (step?.kind === 'wait') return parkedAt(event, step, [{ kind: 'state', internalId: entity.internalId }]);
  if (step?.kind === 'refused') return refusedStep(event, step, entity);
  const effect = decideData(told, entity, rules);
  if (entity.isChanged) entity.path ??= firstPath(rules.entityType);
  return { kind: 'effect', ...(step === undefined ? effect : takeStep(effect, step, entity, rules)) };
}

/**
 * Judges the state alone, of an event that is to change nothing. Undefined where it may go on by now.
 *
 * @param entity undefined: nobody knows it yet, and so it is in the initial state
 */
export function judgeWithheld(
  event: EventToProcess,
  entity: HeldEntity | undefined,
  contract: Contract,
): Decided | undefined {
  const step = decideStep(event, entity?.path, rulesOf(event, contract));
  if (step?.kind === 'refused') return refusedStep(event, step, entity);
  if (step?.kind !== 'wait') return undefined;
  // By any of its ids it may be known, once somebody has named it.
  const ids = [event.entity, ...(event.links?.others ?? [])];
  if (entity === undefined) return parkedAt(event, step, ids.map(awaitedMapping));
  return parkedAt(event, step, [{ kind: 'state', internalId: entity.internalId }]);
}

function rulesOf(event: EventToProcess, contract: Contract): EventRules {
  const eventType = contract.eventTypes.get(event.eventType);
  const entityType = contract.entityTypes.get(event.entity.type);
  if (eventType === undefined || entityType === undefined) {
    throw new Error(`The contract no longer has event type ${event.eventType} or entity type ${event.entity.type}.`);
  }
  return { eventType, entityType, contract };
}

function parkedAt(
  event: EventToProcess,
  step: Step & { readonly kind: 'wait' },
  things: readonly AwaitedThing[],
): Decided {
  return { kind: 'parked', event, things, states: step.states, code: 'state.not_reached', detail: step.detail };
}

function refusedStep(event: EventToProcess, { detail }: Step, entity: HeldEntity | undefined): Decided {
  const about = entity === undefined || entity.revision === 0n ? {} : { entity: revisionOf(entity) };
  return { kind: 'effect', event, outcome: 'refused', code: 'transition.refused', detail, ...about, deliverTo: [] };
}

/** What the event did to the data, and on top of it what it does to the state. */
function takeStep(effect: Effect, step: Step, entity: HeldEntity, { eventType }: EventRules): Effect {
  if (step.kind === 'wait' || step.kind === 'refused') return effect;
  if (step.path !== entity.path) {
    entity.path = step.path;
    entity.isChanged = true;
  }
  const { detail } = step;
  if (step.kind === 'move') {
    // The data may have made the revision already.
    if (effect.outcome !== 'applied') entity.revision += 1n;
    const outcome = effect.outcome === 'conflict' ? effect.outcome : 'applied';
    const { code, ...rest } = effect;
    const kept = outcome === 'conflict' && code !== undefined ? { code } : {};
    const deliverTo = eventType.deliverTo.filter((target) => target !== effect.event.source);
    return { ...rest, ...kept, outcome, detail, entity: revisionOf(entity), deliverTo };
  }
  if (step.kind === 'passed' && effect.outcome === 'unchanged') {
    return { ...effect, outcome: 'stale', code: 'state.passed', detail };
  }
  return effect.detail === undefined ? { ...effect, detail } : effect;
}

function decideData(
  { event, named }: ToldEvent,
  entity: HeldEntity,
  { eventType, entityType, contract }: EventRules,
): Effect {
  const key = recordKey(event.source, event.entity);
  const current = entity.records.get(key);
  const rules = { eventType, entityType, contract };
  const toDecide = eventToDecide(event, rules);
  const strategy = strategyOf(eventType, entityType);
  const decision = strategy(toDecide, withRulesOf(entityType, current));
  const references = decideReferences({ event, named, ...rules, toDecide, current, strategy });
  const about = (): EntityRevision => revisionOf(entity);
  switch (decision.kind) {
    case 'unchanged':
      return { event, outcome: 'unchanged', code: 'content.unchanged', entity: about(), deliverTo: [] };
    case 'stale':
      // What no field keeps may still be the newest that was said about it.
      if (current !== undefined && references !== current.references) {
        entity.records.set(key, { ...current, references, isChanged: true });
      }
      const detail = staleWords(toDecide.orderValue, current, entityType);
      return { event, outcome: 'stale', code: 'version.stale', detail, entity: about(), deliverTo: [] };
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

function revisionOf({ internalId, revision }: HeldEntity): EntityRevision {
  return { internalId, revision };
}

/** Why nothing of the data was applied. A patch may be the newest event of its record and older than each of its fields. */
function staleWords(orderValue: bigint | undefined, current: HeldRecord | undefined, { orderBy }: EntityType): string {
  const held = current?.orderValue;
  const by = orderBy === 'version' ? 'version' : 'time';
  if (orderValue === undefined || current === undefined || held === undefined || held <= orderValue) {
    return 'Everything that it says was written later.';
  }
  return `By ${by} it is older than event ${current.lastEventId}, which was applied before.`;
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
