import type { EntityReference, EventLinks } from '../../domain/event.js';
import { readEventLinks } from '../../domain/event-links.js';
import type { EventId } from '../../domain/ids.js';
import { isJsonObject, type JsonObject } from '../../domain/json/json.js';
import { readJson } from '../../domain/json/read-json.js';
import type { AcceptedEvent } from '../inbox/accepted-event.js';
import type { Claim } from '../work/work.js';

/** An accepted event under our claim, read back from the inbox. */
export interface EventToProcess {
  readonly claim: Claim;
  readonly eventId: EventId;
  readonly source: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly entity: EntityReference;
  readonly links: EventLinks | undefined;
  readonly version: string | undefined;
  /** The state that it names, and the one that its sender believed the entity to be in. */
  readonly state: string | undefined;
  readonly expectedState: string | undefined;
  readonly occurredAtMicros: bigint | undefined;
  readonly correlationId: string;
  readonly conflictsWith: EventId | undefined;
  readonly payload: JsonObject;
  readonly payloadText: string;
  /** JSON, or null: see `retryPolicyOf`. */
  readonly retry: string | null;
  readonly receivedAt: string;
  readonly claimedAt: string;
}

/** @throws Error when the stored row is no event that can be processed, which only a bug can cause */
export function eventToProcess(claim: Claim, row: AcceptedEvent): EventToProcess {
  const { event_type, system, entity_type, external_id, raw_external_id } = row;
  const { value: payload } = readJson(row.payload);
  if (
    event_type === null ||
    system === null ||
    entity_type === null ||
    external_id === null ||
    !isJsonObject(payload)
  ) {
    throw new Error(`Event ${row.event_id} has no event type, no entity or no payload.`);
  }
  const entity = { system, type: entity_type, externalId: external_id, rawExternalId: raw_external_id ?? external_id };
  return {
    claim,
    eventId: row.event_id,
    source: row.source,
    eventType: event_type,
    idempotencyKey: row.idempotency_key,
    entity,
    links: row.links === null ? undefined : readEventLinks(row.links, entity),
    version: row.version ?? undefined,
    state: row.state ?? undefined,
    expectedState: row.expected_state ?? undefined,
    occurredAtMicros: row.occurred_at_micros ?? undefined,
    correlationId: row.correlation_id,
    conflictsWith: row.conflicts_with ?? undefined,
    payload,
    payloadText: row.payload,
    retry: row.retry,
    receivedAt: row.received_at,
    claimedAt: claim.claimedAt,
  };
}
