/** One business fact as it was sent, whatever the number of copies: the envelope, as plain values. */
export interface Fact {
  readonly idempotency_key: string;
  readonly event_type: string;
  readonly entity: { readonly type: string; readonly external_id: string };
  readonly version?: number;
  /** The state that the event names, for event types that move one. */
  readonly state?: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What an event type does, in the words of this checker: it shares nothing with the program that it checks. */
export type Effect =
  | { readonly kind: 'replaces' }
  | { readonly kind: 'deletes' }
  /** Its fields are patched in; no two facts about one entity say the same field. */
  | { readonly kind: 'adds fields' }
  | { readonly kind: 'absorbs'; readonly sum: Field; readonly max: string; readonly appendById: Field };

/** A field of the entity and the member of the payload, or of the element, that feeds or names it. */
interface Field {
  readonly field: string;
  readonly from: string;
}

export interface EventRules {
  readonly effect: Effect;
  readonly targets: readonly string[];
  /** Member of the payload that holds the id of another entity, and what happens while nobody knows that one. */
  readonly refersTo?: { readonly member: string; readonly type: string; readonly missing: 'create' | 'wait' };
}

/** States and the states that may follow each; the first one is the initial state. */
export type Graph = Readonly<Record<string, readonly string[]>>;

export interface Rules {
  readonly events: Readonly<Record<string, EventRules>>;
  /** Entity types with states. */
  readonly graphs: Readonly<Record<string, Graph>>;
}
