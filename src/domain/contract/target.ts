/** How one system is brought up to date: its part of the contract, with every default filled in. */
import type { AnswerMatch } from './answer-match.js';
import type { PathPattern } from './path-pattern.js';
import type { Pointer } from './pointer.js';
import type { RateLimit } from './rate-limit.js';
import type { Selector } from './selector.js';
import type { TargetAuth } from './target-auth.js';
import type { TargetCall } from './target-call.js';
import type { Template } from './template.js';

/** How a system is reached. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** One object for all that use one connection, so that they can share a session. */
  readonly auth: TargetAuth;
  /** Over all processes; absent: as many calls as there are to make. */
  readonly rateLimit?: RateLimit;
  /** For one whole call: connect, headers and body. */
  readonly timeoutMs: number;
  readonly timeouts: CallTimeouts;
  /** Whether it may stand on this machine or in a private network. */
  readonly isPrivateAllowed: boolean;
  /** What bodies and headers may show of the environment, by name. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** How long each part of a call may take; none is longer than the whole. */
export interface CallTimeouts {
  readonly connectMs: number;
  readonly headersMs: number;
  readonly bodyMs: number;
}

export interface Target extends Connection {
  /** Read from top to bottom; where none matches, the status decides. */
  readonly answers: readonly AnswerCase[];
  readonly entities: ReadonlyMap<string, TargetEntity>;
}

/** A target that nothing can be delivered to. */
export const NO_TARGET: Target = {
  baseUrl: '',
  auth: { scheme: 'none' },
  timeoutMs: 0,
  timeouts: { connectMs: 0, headersMs: 0, bodyMs: 0 },
  isPrivateAllowed: false,
  secrets: new Map(),
  answers: [],
  entities: new Map(),
};

/** What an answer means, where it says so otherwise than by its status. */
export interface AnswerCase extends AnswerMatch {
  readonly is: AnswerMeaning;
  /** What it says for itself; absent: an excerpt of it. */
  readonly reason?: Template;
}

export type AnswerMeaning =
  | 'ok'
  /** The record is not there. */
  | 'not_found'
  /** A record with our reference is there already. */
  | 'exists'
  /** Somebody changed the record since it was read. */
  | 'changed'
  /** Several records answer to our reference. */
  | 'ambiguous'
  | 'retryable'
  | 'throttled'
  | 'final'
  | 'auth';

/** The calls for the records of one entity type: `upsert`, or `create` and `update`, or one of these alone. */
export interface TargetEntity {
  /** What must have an id at the target before the record is written; absent: nothing. */
  readonly needs?: readonly Need[];
  /** Looks a record up by our reference after a create whose end is unknown. */
  readonly find?: FindCall;
  readonly create?: CreateCall;
  readonly update?: ChangeCall;
  /** Creates or updates, whichever it takes, and may therefore be repeated after an unknown end. */
  readonly upsert?: TargetCall & { readonly externalId: Pointer };
  /** Takes the record away, or marks it as gone: any call is one. Absent: nothing is said to the target. */
  readonly delete?: ChangeCall;
}

/** Where the payload names what is needed; one entity type may stand in several needs. */
export interface Need {
  readonly entityType: string;
  readonly path: PathPattern;
}

export interface FindCall extends TargetCall {
  /** The list of matches; absent: the answer is the record. */
  readonly items?: Pointer;
  readonly externalId: Pointer;
}

export interface CreateCall extends TargetCall {
  readonly externalId: Pointer;
  /** Answers that promise a record and give a ticket; absent: every good answer has the id. */
  readonly accepted?: Acceptance;
  /** The target makes one record of two calls with one `Idempotency-Key`: it may be repeated after an unknown end. */
  readonly onUnknown?: 'retry';
}

export interface ChangeCall extends TargetCall {
  /** Made first, each time; its answer is `current` in body and headers. */
  readonly before?: TargetCall;
}

/** A create that goes on at the target after its answer. */
export interface Acceptance extends AnswerMatch {
  readonly ticket: Selector;
  /** After this long its end is unknown. */
  readonly withinMs: number;
  /** Absent: a webhook tells the end. */
  readonly ask?: AskCall;
}

export interface AskCall extends TargetCall {
  readonly everyMs: number;
  /** Where the id stands once the record is there; until then nothing does. */
  readonly externalId: Pointer;
  /** Nothing was created, and nothing will be. */
  readonly refusedWhen?: AnswerMatch;
}
