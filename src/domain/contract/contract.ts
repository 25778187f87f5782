/**
 * The contract as the rest of the program sees it: read from `crosswalk.yaml`, checked, every default filled in,
 * every `${ENV}` replaced, every pointer and template parsed. It never changes while the process runs.
 */
import type { Condition } from './condition.js';
import type { InstantSource } from './instant-source.js';
import type { PathPattern } from './path-pattern.js';
import type { Pointer } from './pointer.js';
import type { RateLimit } from './rate-limit.js';
import type { Selector } from './selector.js';
import type { SignedPart } from './signed-part.js';
import type { Connection, Target } from './target.js';
import type { Template } from './template.js';
import type { StateGraph } from '../state-machine/state-graph.js';

export interface Contract {
  readonly systems: ReadonlyMap<string, System>;
  readonly entityTypes: ReadonlyMap<string, EntityType>;
  readonly eventTypes: ReadonlyMap<string, EventType>;
  readonly accessKeys: readonly AccessKey[];
  readonly settings: Settings;
}

/** A connected application: as a source it sends (`ingest`), as a target it receives (`deliver`). */
export interface System {
  readonly name: string;
  readonly externalIds: ExternalIdRules;
  readonly ingest?: Ingest;
  /** How it is reached, for whatever is done there; `deliver` has what it needs of this already. */
  readonly connection?: Connection;
  readonly deliver?: Target;
}

export interface ExternalIdRules {
  /** Applied in this order before ids are compared; the spelling of letters is never folded. */
  readonly normalize: readonly NormalizeStep[];
}
export type NormalizeStep = 'trim' | 'nfc';

export interface Ingest {
  /** Any one of these identifies the system. */
  readonly auth: readonly IngestAuth[];
  /** The URL that its sender sees, for signatures that cover it; absent: as the request names it. */
  readonly publicUrl?: string;
  /** How much one process takes of this system; absent: whatever comes. */
  readonly rateLimit?: RateLimit;
  /** What bodies may be compressed with; empty: nothing. */
  readonly contentEncodings: readonly ContentEncoding[];
  /** Systems whose ids this one may link to its own in its events. */
  readonly mayLink: readonly string[];
  /** Read from top to bottom; the first rule whose conditions all hold reads the webhook. */
  readonly webhooks: readonly WebhookRule[];
  /** What is answered to requests that nobody signed; nothing of them is ever stored. */
  readonly unsigned: readonly AnswerRule[];
  /** Entity type → canonical field ← pointer into the payload. A type that is absent keeps its payload's names. */
  readonly fields: ReadonlyMap<string, readonly FieldRule[]>;
}

export type ContentEncoding = 'gzip' | 'deflate';

export type IngestAuth =
  | { readonly scheme: 'api-key'; readonly header: string; readonly secrets: readonly string[] }
  /** HTTP Basic (RFC 7617). */
  | { readonly scheme: 'basic'; readonly user: string; readonly secrets: readonly string[] }
  | SignatureAuth;

/**
 * A keyed hash over what was sent. The presets (`stripe`, `github` …) are this with everything filled in, so there is
 * one verifier for all of them.
 */
export interface SignatureAuth {
  readonly scheme: 'signature';
  /** In lower case. It may hold several signatures, of which one good one is enough. */
  readonly header: string;
  readonly algorithm: 'sha1' | 'sha256' | 'sha512';
  readonly encoding: 'hex' | 'base64';
  /** What stands in front of each signature, such as `sha256=` or `v1,`; other entries of the header are passed over. */
  readonly prefix: string;
  readonly signed: readonly SignedPart[];
  readonly timestamp?: SignatureTimestamp;
  /** The keys themselves; any one of them is accepted. */
  readonly keys: readonly Uint8Array[];
}

export interface SignatureTimestamp {
  /** In a header of its own (lower case), or as an entry `t=…` of the signature's header. */
  readonly at: { readonly header: string } | { readonly part: string };
  readonly format: 'unix' | 'unix_ms' | 'rfc3339';
  /** How far it may be from now, either way. */
  readonly toleranceSeconds: number;
}

/** What becomes of a webhook, or of each element of a list in it, whose conditions all hold. */
export type WebhookRule = EventRule | AnswerRule | CompletionRule;

/** It is an event. */
export interface EventRule {
  readonly kind: 'event';
  /** The list in the body of which each element is held against the rule; absent: the body itself is. */
  readonly each?: Pointer;
  readonly when: readonly Condition[];
  readonly eventType: string;
  readonly idempotencyKey: Template;
  readonly entityType: Template;
  /** Whose id it is; absent: the system's own. */
  readonly entitySystem?: string;
  readonly externalId: Template;
  /** Where the sender repeats our own id for the record. */
  readonly internalId?: Template;
  /** Ids of the same thing in other systems. */
  readonly links: readonly LinkRule[];
  readonly version?: Template;
  readonly occurredAt?: InstantSource;
  readonly correlationId?: Template;
  /** The state that the item names, where the event type leaves that to each event. */
  readonly state?: Template;
  /** The state in which the sender believes the entity to be. */
  readonly expectedState?: Template;
  /** The record inside the item; absent: the item is the record. */
  readonly payload?: Selector;
}

export interface LinkRule {
  readonly system: string;
  readonly externalId: Template;
}

/** It is a vendor's question whether somebody is there, and no event. */
export interface AnswerRule {
  readonly kind: 'answer';
  readonly when: readonly Condition[];
  readonly answer: HandshakeAnswer;
}

/** It is the end of a create that the system had taken with a ticket, and no event. */
export interface CompletionRule {
  readonly kind: 'completes';
  /** The list in the body of which each element is held against the rule; absent: the body itself is. */
  readonly each?: Pointer;
  readonly when: readonly Condition[];
  readonly entityType: string;
  readonly ticket: Template;
  readonly end:
    | { readonly kind: 'created'; readonly externalId: Template }
    /** Nothing was created, and nothing will be; the system's reason. */
    | { readonly kind: 'refused'; readonly reason: Template };
}

export interface HandshakeAnswer {
  readonly status: number;
  /** Sent as text/plain; absent: an empty body. */
  readonly text?: Template;
}

export interface FieldRule {
  readonly field: string;
  readonly pointer: Pointer;
}

export interface EntityType {
  readonly name: string;
  readonly orderBy: OrderBy;
  /** What becomes of a second content under one order value: a question for a person, or the later arrival wins. */
  readonly ties: 'conflict' | 'arrival';
  readonly compose: Composition;
  /** Fields that the merge rules of some event type own: no other event type writes them. */
  readonly mergedFields: ReadonlySet<string>;
  /** The states that an entity goes through, where the type has any. */
  readonly states?: StateGraph;
}
export type OrderBy = 'version' | 'occurred_at' | 'arrival';

export interface Composition {
  /** Which system's record wins a field, best first; systems that are not listed give no fields. */
  readonly default: readonly string[];
  /** The same for single fields. `latest`: among the default's systems, the record whose field was written last. */
  readonly fields: ReadonlyMap<string, readonly string[] | 'latest'>;
}

export interface EventType {
  readonly name: string;
  /** `*`: the envelope's `entity.type` decides. */
  readonly entity: string;
  readonly strategy: 'ignore' | 'overwrite' | 'merge';
  /** With `overwrite`: whether the event says what its record is, or that it is gone. */
  readonly operation: 'update' | 'delete';
  /** With `merge`: the fields that have a rule of their own; the others are patched. */
  readonly merge: ReadonlyMap<string, MergeRule>;
  /** With `ignore`: whether the first copy's fields are patched in. */
  readonly apply: 'patch' | 'none';
  /** Where its events move the entity to, if they do; the entity type then has states. */
  readonly transition?: TransitionRule;
  readonly deliverTo: readonly string[];
  /** What Crosswalk says itself, once, when a target refuses for good what another one may have taken. */
  readonly onRefused?: { readonly emit: string };
  /** Systems that report the same fact and therefore share their keys; empty: each source for itself. */
  readonly sharedScope: readonly string[];
  /** Places in the payload that may differ between two copies of one fact. */
  readonly volatile: readonly PathPattern[];
  /** Where the payload names other entities. */
  readonly references: readonly ReferenceRule[];
  /** Keys that are kept for ever stop a repetition however late it comes. None is forgotten yet, whatever this says. */
  readonly keys: 'retained' | 'forever';
}

export type TransitionRule =
  | { readonly kind: 'to'; readonly state: string }
  /** Each event names the state itself. */
  | { readonly kind: 'named' };

export interface ReferenceRule {
  /** Where the ids stand in the payload; they are ids of the system whose record the event is about. */
  readonly path: PathPattern;
  readonly entityType: string;
  /**
   * An id that nobody has seen yet: `create` gives it an internal id, without a record; `wait` lets the event wait for
   * the first event of what it refers to.
   */
  readonly missing: 'create' | 'wait';
  readonly none: NoReference;
}

/** The values that mean "no such thing". */
export interface NoReference {
  /** Scalars, each in its one spelling as text: 0 is the number and the text. */
  readonly texts: ReadonlySet<string>;
  readonly null: boolean;
  readonly absent: boolean;
}

/** How a field grows from what each event adds to it, whichever event comes first. */
export type MergeRule =
  /** A list whose elements are known by the member `id`. */
  | { readonly kind: 'append_unique_by'; readonly id: string }
  /** Adds the number at `pointer` of the payload. */
  | { readonly kind: 'sum'; readonly pointer: Pointer }
  | { readonly kind: 'union' | 'max' | 'min' | 'latest' };

export type Role = 'viewer' | 'operator' | 'admin';

export interface AccessKey {
  readonly name: string;
  readonly role: Role;
  readonly key: string;
}

export interface Settings {
  readonly retry: RetryPolicy;
  /** A claim holds this long before another worker may take the work over. */
  readonly leaseMs: number;
  readonly sweepEveryMs: number;
  /** An event waits this long for what has to come first; then it is a dead letter. */
  readonly parkForMs: number;
}

export interface RetryPolicy {
  readonly maxRetry: number;
  readonly backoffBaseSeconds: number;
  readonly backoffJitterMs: number;
  readonly capSeconds: number;
}
