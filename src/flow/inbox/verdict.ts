import type { EventId } from '../../domain/ids.js';

/** How far an event has come; derived from the work row, and COMPLETED where none is left. */
export type EventStatus = 'RECEIVED' | 'PROCESSING' | 'COMPLETED' | 'FAILED' | 'PARKED' | 'DEAD';

/** The answer at the door. Every kind of it was durable before it was given. */
export type Verdict =
  | FullVerdict
  /** Recognised without a look into the database, so that nothing is said of what became of the event. */
  | { readonly kind: 'duplicate'; readonly eventId: EventId; readonly standing: undefined };

/** A verdict that the database gave. */
export type FullVerdict =
  | { readonly kind: 'accepted'; readonly eventId: EventId; readonly standing: EventStanding }
  /** The same fact was here before; its event and what became of it. */
  | { readonly kind: 'duplicate'; readonly eventId: EventId; readonly standing: EventStanding }
  /** The key was used for other content. The first stays; this one is kept and listed under its own event id. */
  | { readonly kind: 'conflict'; readonly eventId: EventId; readonly conflictEventId: EventId };

/** What the verdict would be; `eventId` is that of the event which holds the key. */
export type ForeseenVerdict =
  { readonly kind: 'accepted' } | { readonly kind: 'duplicate' | 'conflict'; readonly eventId: EventId };

/** Where an event stands. */
export interface EventStanding {
  readonly status: EventStatus;
  readonly outcome: string | undefined;
  readonly code: string | undefined;
  readonly internalId: string | undefined;
}
