import { idempotencyKeyProblem, keyScope } from '../business-key.js';
import type { Contract, EntityType, EventType, System } from '../contract/contract.js';
import type { EntityReference, ReceivedEvent } from '../event.js';
import { normalizeExternalId } from '../external-id.js';
import { instantMicros } from '../instant.js';
import type { JsonObject } from '../json/json.js';
import { quoted } from '../quoted.js';
import { readReferences } from '../references.js';
import type { RetryPassport } from '../retry-passport.js';
import { SyncError } from '../sync-error.js';
import { completeLinks, type IdentityParts } from './complete-links.js';
import { completeTransition, type TransitionParts } from './complete-transition.js';
import { fingerprintOf } from './fingerprint.js';
import { ENVELOPE_PLACES, type PartPlaces } from './part-places.js';

/** The parts of an event as text, whichever way they came: in an envelope, in a CloudEvent or by a webhook's rule. */
export interface EventParts extends IdentityParts, TransitionParts {
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly entityType: string;
  /** Whose id it is; absent: the source's. */
  readonly entitySystem: string | undefined;
  readonly externalId: string;
  readonly version: string | undefined;
  readonly occurredAt: string | undefined;
  /** Absent where it came by a webhook. */
  readonly retry?: RetryPassport | undefined;
  readonly payload: JsonObject;
  /** The payload as it was written. */
  readonly payloadText: string;
}

/** What a request brings along beside its body. */
export interface Reception {
  readonly contract: Contract;
  readonly source: System;
  readonly correlationId: string;
  readonly traceparent: string | undefined;
  /** By the database's clock, microseconds since 1970. */
  readonly nowMicros: bigint;
}

/** An event dated later than this would win over every correction that follows it. */
const FUTURE_TOLERANCE_MICROS = 5n * 60n * 1_000_000n;
/** 1900. Nothing that a business system reports happened before; a year 0001 is a default that nobody set. */
const EARLIEST_MICROS = -2_208_988_800_000_000n;
const VERSION = /^\d{1,38}$/;
/** Without leading zeros: its own spelling. */
const PLAIN_VERSION = /^[1-9]\d{0,37}$/;

/**
 * Holds the parts against the contract and makes the event of them. All ways in end here, so that one fact is one
 * event by any of them.
 *
 * @param places how errors name the parts
 * @throws SyncError with the code of the first part that is unusable
 */
export function completeEvent(parts: EventParts, reception: Reception, places = ENVELOPE_PLACES): ReceivedEvent {
  const { contract, source } = reception;
  const eventType = contract.eventTypes.get(parts.eventType);
  if (eventType === undefined) {
    throw new SyncError('event_type.unknown', `The contract has no event type ${quoted(parts.eventType)}.`, {
      at: places.eventType,
    });
  }
  const entityType = checkEntityType(parts.entityType, eventType, contract, places);
  const owner = readOwner(parts.entitySystem, reception, places);
  const entity = readEntity(parts, owner, places);
  const links = completeLinks(parts, entity, contract, places);
  checkIdempotencyKey(parts.idempotencyKey, places);
  const order: Order = { eventType, entityType, nowMicros: reception.nowMicros };
  const version = readVersion(parts.version, order, places);
  const occurredAtMicros = readOccurredAt(parts.occurredAt, order, places);
  const { state, expectedState } = completeTransition(parts, order, places);
  checkReferences(parts.payload, eventType, owner, places);
  return {
    source: source.name,
    eventType: eventType.name,
    idempotencyKey: parts.idempotencyKey,
    scope: keyScope(source.name, eventType.name, eventType.sharedScope),
    entity,
    links,
    version,
    occurredAtMicros,
    state,
    expectedState,
    correlationId: reception.correlationId,
    traceparent: reception.traceparent,
    retry: parts.retry,
    payload: parts.payloadText,
    fingerprint: fingerprintOf(
      { eventType, entity, links, version, state, expectedState, payload: parts.payload },
      source,
    ),
  };
}

function checkEntityType(
  name: string,
  eventType: EventType,
  contract: Contract,
  { entityType: at }: PartPlaces,
): EntityType {
  const entityType = contract.entityTypes.get(name);
  if (entityType === undefined) {
    throw new SyncError('entity_type.unknown', `The contract has no entity type ${quoted(name)}.`, { at });
  }
  if (eventType.entity !== '*' && eventType.entity !== name) {
    const detail = `\`${eventType.name}\` is about \`${eventType.entity}\`, not about ${quoted(name)}.`;
    throw new SyncError('entity_type.mismatch', detail, { at });
  }
  if (eventType.strategy === 'overwrite' && entityType.orderBy === 'arrival') {
    const detail = `\`${eventType.name}\` overwrites, but \`${name}\` declares no order to overwrite by.`;
    throw new SyncError('entity_type.mismatch', detail, { at });
  }
  return entityType;
}

/** The system whose ids the event carries: the sender's own, or that of the records that it reports on. */
function readOwner(
  name: string | undefined,
  { contract, source }: Reception,
  { entitySystem: at }: PartPlaces,
): System {
  const owner = name === undefined ? source : contract.systems.get(name);
  if (owner !== undefined) return owner;
  throw new SyncError('system.unknown', `The contract has no system ${quoted(name ?? '')}.`, { at });
}

function readEntity(parts: EventParts, owner: System, places: PartPlaces): EntityReference {
  const id = normalizeExternalId(parts.externalId, owner.externalIds);
  if (id.kind === 'unusable') {
    throw new SyncError('id.invalid', `The external id ${id.problem}.`, { at: places.externalId });
  }
  return { system: owner.name, type: parts.entityType, externalId: id.externalId, rawExternalId: parts.externalId };
}

/** They are read again when the event is processed; here the sender can still be told. */
function checkReferences(payload: JsonObject, { references }: EventType, owner: System, places: PartPlaces): void {
  try {
    readReferences(payload, references, owner);
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    throw new SyncError(error.code, error.message, { at: places.payload + (error.at ?? '') });
  }
}

function checkIdempotencyKey(key: string, places: PartPlaces): void {
  const problem = idempotencyKeyProblem(key);
  if (problem === undefined) return;
  throw new SyncError('key.invalid', `The idempotency key ${problem}; it is refused, never repaired.`, {
    at: places.idempotencyKey,
  });
}

/** What decides whether an event needs a version or a time. */
interface Order {
  readonly eventType: EventType;
  readonly entityType: EntityType;
  readonly nowMicros: bigint;
}

function readVersion(text: string | undefined, order: Order, { version: at }: PartPlaces): string | undefined {
  const { eventType, entityType } = order;
  if (text === undefined) {
    if (!isOrderedBy('version', eventType, entityType)) return undefined;
    const detail = `\`${eventType.name}\` ${verbOf(eventType)} \`${entityType.name}\` by version; the event has none.`;
    throw new SyncError('version.invalid', detail, { at });
  }
  if (PLAIN_VERSION.test(text)) return text;
  if (VERSION.test(text)) return String(BigInt(text));
  throw new SyncError('version.invalid', 'A version is written in 1 to 38 digits, as a number or as text.', { at });
}

function readOccurredAt(text: string | undefined, order: Order, { occurredAt: at }: PartPlaces): bigint | undefined {
  const { eventType, entityType, nowMicros } = order;
  const name = at.slice(1);
  if (text === undefined) {
    if (!isOrderedBy('occurred_at', eventType, entityType)) return undefined;
    const detail = `\`${eventType.name}\` ${verbOf(eventType)} \`${entityType.name}\` by time; the event has no \`${name}\`.`;
    throw new SyncError('occurred_at.invalid', detail, { at });
  }
  const micros = instantMicros(text);
  if (micros === undefined || micros < EARLIEST_MICROS) {
    const detail = `\`${name}\` is an RFC 3339 date-time since 1900, such as 2025-01-01T12:00:00.000+08:00.`;
    throw new SyncError('occurred_at.invalid', detail, { at });
  }
  if (micros > nowMicros + FUTURE_TOLERANCE_MICROS) {
    const detail = `\`${name}\` lies more than 5 minutes ahead; it would win over every later correction.`;
    throw new SyncError('occurred_at.in_future', detail, { at });
  }
  return micros;
}

/**
 * What replaces or patches a record needs its order, and what moves an entity in circles. `compose: { …: latest }` asks
 * for the time as well, whatever the order.
 */
function isOrderedBy(order: 'version' | 'occurred_at', eventType: EventType, entityType: EntityType): boolean {
  const isMovedInCircles = eventType.transition !== undefined && entityType.states?.isCyclic === true;
  if (eventType.strategy === 'ignore') return isMovedInCircles && entityType.orderBy === order;
  const isComposedByTime = order === 'occurred_at' && [...entityType.compose.fields.values()].includes('latest');
  return entityType.orderBy === order || isComposedByTime;
}

function verbOf({ strategy }: EventType): string {
  const verbs = { merge: 'merges into', overwrite: 'overwrites', ignore: 'moves' } as const;
  return verbs[strategy];
}
