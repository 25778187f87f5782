import type { EventId } from '../../domain/ids.js';

/** An event as the inbox keeps it. A webhook that no rule could read has neither event type nor entity. */
export interface AcceptedEvent {
  readonly event_id: EventId;
  readonly source: string;
  readonly event_type: string | null;
  readonly idempotency_key: string;
  readonly system: string | null;
  readonly entity_type: string | null;
  readonly external_id: string | null;
  readonly raw_external_id: string | null;
  /** JSON; see `readEventLinks`. */
  readonly links: string | null;
  readonly version: string | null;
  readonly occurred_at: string | null;
  /** Microseconds since 1970. */
  readonly occurred_at_micros: bigint | null;
  /** The state that it names, where its event type leaves that to each event. */
  readonly state: string | null;
  readonly expected_state: string | null;
  readonly correlation_id: string;
  readonly traceparent: string | null;
  readonly conflicts_with: EventId | null;
  readonly payload: string;
  /** JSON, of a webhook that no rule could read: what rules may read beside its body. */
  readonly request: string | null;
  /** The number of the contract that read it; null: it is older than the numbers. */
  readonly contract: number | null;
  readonly received_at: string;
  /** JSON: what its sender asked for in case it fails; see `retryPolicyOf`. */
  readonly retry: string | null;
}
