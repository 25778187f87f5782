import type { EventId } from './ids.js';
import type { RetryPassport } from './retry-passport.js';

/** One business fact as the door understood it; nothing of it is stored yet. */
export interface ReceivedEvent {
  /** The system whose credential was shown. */
  readonly source: string;
  readonly eventType: string;
  readonly idempotencyKey: string;
  readonly entity: EntityReference;
  /** Undefined where the sender says nothing about other ids. */
  readonly links: EventLinks | undefined;
  /** Digits only. */
  readonly version: string | undefined;
  /** Microseconds since 1970, UTC. */
  readonly occurredAtMicros: bigint | undefined;
  /** The state that it names, where its event type leaves to each event where it moves its entity to. */
  readonly state: string | undefined;
  /** The state in which its sender believes the entity to be. */
  readonly expectedState: string | undefined;
  readonly correlationId: string;
  /** W3C trace context, as it came. */
  readonly traceparent: string | undefined;
  /** What its sender asks for in case it fails; no part of the fact, so that a copy may say something else. */
  readonly retry: RetryPassport | undefined;
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

/** What a sender says about the identity of an event's entity beside the id that it goes by. */
export interface EventLinks {
  /** Ids of the same thing in other systems, by system and id, none twice. */
  readonly others: readonly EntityReference[];
  /** Our own id of it. Text that is no id of ours is kept as it came. */
  readonly internalId: string | undefined;
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
