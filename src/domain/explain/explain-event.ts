import type { Contract, EventRule } from '../contract/contract.js';
import type { ReceivedEvent } from '../event.js';
import { formatInstant } from '../instant.js';
import { targetState } from '../state-machine/target-state.js';
import { coverageWarnings, keyWarnings, type KeyWarning } from './key-warnings.js';

/** What an event would be, by the contract alone. */
export interface Explanation {
  readonly event_type: string;
  readonly idempotency_key: string;
  /** The room in which the key is unique. */
  readonly scope: string;
  readonly entity: { readonly system: string; readonly type: string; readonly external_id: string };
  readonly version?: string;
  readonly occurred_at?: string;
  readonly strategy: string;
  /** The state that it would move its entity to. */
  readonly state?: string;
  readonly expected_current_state?: string;
  readonly order_by: string;
  /** The targets that it would be carried to, but for its source. */
  readonly deliver_to: readonly string[];
  readonly warnings: readonly KeyWarning[];
}

/** @param rule the one that read the event, where one did */
export function explainEvent(event: ReceivedEvent, contract: Contract, rule?: EventRule): Explanation {
  const eventType = contract.eventTypes.get(event.eventType);
  const entityType = contract.entityTypes.get(event.entity.type);
  if (eventType === undefined || entityType === undefined) throw new Error('The event is not of this contract.');
  const { system, type, externalId } = event.entity;
  const state = targetState(eventType, event.state);
  return {
    event_type: event.eventType,
    idempotency_key: event.idempotencyKey,
    scope: event.scope,
    entity: { system, type, external_id: externalId },
    ...(event.version === undefined ? {} : { version: event.version }),
    ...(event.occurredAtMicros === undefined ? {} : { occurred_at: formatInstant(event.occurredAtMicros) }),
    strategy: eventType.strategy,
    ...(state === undefined ? {} : { state }),
    ...(event.expectedState === undefined ? {} : { expected_current_state: event.expectedState }),
    order_by: entityType.orderBy,
    deliver_to: eventType.deliverTo.filter((target) => target !== event.source),
    warnings: [
      ...keyWarnings(event, eventType, rule),
      ...(rule === undefined ? [] : coverageWarnings(rule, contract.systems.get(event.source)?.ingest?.auth ?? [])),
    ],
  };
}
