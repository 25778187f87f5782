/**
 * The closed list of what Crosswalk can fail with or refuse. Each code has one heading in `docs/errors.md`; a test
 * keeps the two lists equal.
 */
export interface CodeEntry {
  /** HTTP status where the code is an answer; reasons that only stand in a trace have 0. */
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  /** `error`: a person must act. */
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

const refused = (status: number, title: string): CodeEntry => ({ status, title, retryable: false, logLevel: 'info' });
const later = (status: number, title: string): CodeEntry => ({ status, title, retryable: true, logLevel: 'warn' });
const reason = (title: string, logLevel: CodeEntry['logLevel'] = 'info'): CodeEntry => ({
  status: 0,
  title,
  retryable: false,
  logLevel,
});

export const CODES = {
  // Refused senders are a series that somebody must be able to see: a secret may have been changed on one side only.
  'auth.failed': { status: 401, title: 'The sender could not be identified', retryable: false, logLevel: 'warn' },
  'access.denied': { status: 403, title: 'This credential may not do that', retryable: false, logLevel: 'warn' },
  'body.too_large': refused(413, 'The body is too large'),
  'body.not_utf8': refused(400, 'The body is not valid UTF-8'),
  'body.not_json': refused(400, 'The body is not valid JSON'),
  'body.duplicate_name': refused(400, 'A name stands twice in one JSON object'),
  'body.lone_surrogate': refused(400, 'A string holds half a surrogate pair'),
  'body.too_deep': refused(400, 'The JSON is nested too deeply'),
  'body.undecodable': refused(400, 'The body is not compressed as its header says'),
  'body.media_type': refused(415, 'This media type, charset or encoding is not read'),
  'batch.empty': refused(422, 'A batch needs at least one event'),
  'batch.too_large': refused(413, 'A batch holds too many events'),
  'envelope.invalid': refused(422, 'A part of the envelope is missing or of the wrong kind'),
  'envelope.unknown_part': refused(422, 'The envelope has a part that the protocol does not know'),
  'envelope.unsupported_part': refused(422, 'The envelope has a part that is not acted on yet'),
  'key.missing': refused(422, 'The event has no idempotency key'),
  'key.invalid': refused(422, 'The idempotency key is unusable'),
  'key.conflict': refused(422, 'The idempotency key was already used for other content'),
  'id.invalid': refused(422, 'The external id is unusable'),
  'version.invalid': refused(422, 'The version is missing or not an integer'),
  'occurred_at.invalid': refused(422, 'The time is missing or not an RFC 3339 date-time'),
  'occurred_at.in_future': refused(422, 'The time lies in the future'),
  'event_type.unknown': refused(422, 'The contract has no such event type'),
  'entity_type.unknown': refused(422, 'The contract has no such entity type'),
  'entity_type.mismatch': refused(422, 'The event type is about another entity type'),
  'system.unknown': refused(422, 'The contract has no such system'),
  'state.unknown': refused(422, 'The entity type has no such state'),
  'states.not_found': refused(404, 'There are no such states'),
  'reference.invalid': refused(422, 'A reference to another entity is missing or unusable'),
  'event.unstorable': { status: 422, title: 'The database refuses this event', retryable: false, logLevel: 'warn' },
  'storage.unavailable': later(503, 'The database is not available'),
  // The sender is told; a line of the log for each would be a load of its own.
  'door.rate_limited': { status: 429, title: 'The system sends too much', retryable: true, logLevel: 'info' },
  'door.overloaded': later(503, 'More arrives than can be stored'),
  'webhook.unmatched': reason('No rule of the contract reads this webhook', 'warn'),
  'request.too_slow': { status: 408, title: 'The request came too slowly', retryable: true, logLevel: 'info' },
  'request.invalid': refused(400, 'The request is malformed'),
  'resource.not_found': refused(404, 'There is no such resource'),
  'event.not_found': refused(404, 'There is no such event'),
  'trace.not_found': refused(404, 'No event carries this correlation id'),
  'mapping.not_found': refused(404, 'This external id is not known'),
  'entity.not_found': refused(404, 'There is no such entity'),
  'dead_letter.not_replayable': refused(409, 'This cannot be replayed'),
  'dead_letter.not_editable': refused(409, 'This cannot be edited'),
  'dead_letter.not_found': refused(404, 'There is no such dead letter'),
  'dead_letter.changed': refused(412, 'The dead letter is not the one that was seen'),
  'replay.not_found': refused(404, 'There is no such replay'),
  'contract.not_found': refused(404, 'There is no such contract'),
  'mapping.conflict': refused(409, 'The link contradicts one that exists'),
  'internal.error': { status: 500, title: 'An unexpected error', retryable: true, logLevel: 'error' },
  'version.stale': reason('A newer version was already applied'),
  'version.conflict': reason('The same order value was already applied with other content', 'warn'),
  'link.conflict': reason('A link of the event was not made', 'warn'),
  'state.not_reached': reason('The entity has not come to the state that the event needs'),
  'state.passed': reason('The entity has passed the state that the event names'),
  'transition.refused': reason('The graph of states does not let the event move the entity', 'warn'),
  'reference.missing': reason('The event refers to something that nobody knows yet'),
  'park.expired': reason('What the event waited for did not happen in time', 'error'),
  'content.unchanged': reason('The content was already what the event says'),
  'merge.unusable': reason('A merge rule cannot use what the event says', 'error'),
  'entity.deleted': reason('The entity is deleted, and the target has no way to delete it'),
  'event.undecidable': reason('The event could not be processed', 'error'),
  'work.poison': reason('The work ended its worker again and again', 'error'),
  'delivery.failed': reason('The delivery failed for a reason of ours', 'error'),
  'work.superseded': reason('Newer work took the place of this dead letter'),
  'target.timeout': reason('The target did not answer in time'),
  'target.unreachable': reason('The target could not be reached'),
  'target.throttled': reason('The target asked for fewer calls'),
  'target.failed': reason('The target failed'),
  'target.refused': reason('The target refused the call', 'error'),
  'target.unauthorized': reason('The target does not accept our credential', 'error'),
  'target.unreadable': reason('The answer of the target could not be read', 'warn'),
  'target.unmappable': reason('The body for the target could not be made', 'error'),
  'create.unknown': reason('Nobody knows whether the create succeeded', 'error'),
  'create.ambiguous': reason('Several records at the target carry our reference', 'error'),
  'create.rival': reason('The id that the target gave belongs to another entity', 'error'),
  'retry.exhausted': reason('All attempts failed', 'error'),
} as const satisfies Readonly<Record<string, CodeEntry>>;

export type Code = keyof typeof CODES;

/** "Could not do it", with a code that the caller can act on. Expected outcomes are return values instead. */
export class SyncError extends Error {
  readonly code: Code;
  /** Where the fault stands, such as a JSON Pointer into the request. */
  readonly at: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: Code,
    detail: string,
    facts: { readonly at?: string; readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
  ) {
    super(detail, { cause: facts.cause });
    this.code = code;
    this.at = facts.at;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}
