import type { EventId } from './ids.js';

/** One business fact as the door understood it; nothing of it is stored yet. */
export interface ReceivedEvent {
  /** The system whose credential was shown. */
  readonly source: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly entity: EntityReference;
  /** Digits only. */
  readonly version: string | undefined;
  /** Microseconds since 1970, UTC. */
  readonly occurredAtMicros: bigint | undefined;
  readonly correlationId: string;
  /** W3C trace context, as it came. */
  readonly traceparent: string | undefined;
  /** JSON text of the business payload, as it was written. */
  readonly payload: string;
  /** Hash of what makes two copies the same fact. */
  readonly fingerprint: string;
  /** The room in which the key is unique. */
  readonly scope: string;
}

export interface EntityReference {
  /** Whose id it is. */
  readonly system: string;
  readonly type: string;
  /** As it is compared. */
  readonly externalId: string;
  /** As it was spelt. */
  readonly rawExternalId: string;
}

/** A received event with the id that it would be accepted under. */
export type NumberedEvent = ReceivedEvent & { readonly eventId: EventId };

/** A webhook that is authentic but that no rule could read. */
export interface UnmatchedWebhook {
  readonly source: string;
  /** The JSON that the body stands for, as it was written. */
  readonly body: string;
  /** JSON: what rules may read beside the body, to read it again by other rules. */
  readonly request: string;
  /** What else tells two webhooks with one body apart: the headers and parameters that conditions look at. */
  readonly distinction: readonly string[];
  readonly correlationId: string;
  /** Which part was missing or unusable, in words, for the person who mends the contract. */
  readonly reason: string;
  readonly code: string;
}
