import { createHash } from 'node:crypto';
import { composeKey } from '../../domain/business-key.js';
import { writeEventLinks } from '../../domain/event-links.js';
import type { ReceivedEvent, UnmatchedWebhook } from '../../domain/event.js';
import type { EventId } from '../../domain/ids.js';
import { writeRetryPassport } from '../../domain/retry-passport.js';
import type { EventRow } from './inbox.sql.js';

/** All that is not payload, not links and not as long as the sender likes: ids, names, hashes. */
const OTHER_BYTES = 1_024;

/** What a row weighs on its way into the database, about: the payload is all that can be large. */
export function rowBytes(row: EventRow): number {
  return Buffer.byteLength(row.payload) + (row.links?.length ?? 0) + OTHER_BYTES;
}

export function eventRow(event: ReceivedEvent, eventId: EventId): EventRow {
  return {
    event_id: eventId,
    scope: event.scope,
    key: event.idempotencyKey,
    source: event.source,
    event_type: event.eventType,
    idempotency_key: event.idempotencyKey,
    system: event.entity.system,
    entity_type: event.entity.type,
    external_id: event.entity.externalId,
    raw_external_id: event.entity.rawExternalId,
    ...(event.links && { links: writeEventLinks(event.links) }),
    version: event.version,
    occurred_at: event.occurredAtMicros === undefined ? undefined : String(event.occurredAtMicros),
    state: event.state,
    expected_state: event.expectedState,
    correlation_id: event.correlationId,
    traceparent: event.traceparent,
    ...(event.retry && { retry: writeRetryPassport(event.retry) }),
    fingerprint: event.fingerprint,
    payload: event.payload,
    work_status: 'due',
  };
}

/** No event type may hold `!`, so these rooms for keys are never those of an event type. */
export function conflictingRow(row: EventRow, first: EventId): EventRow {
  return { ...row, scope: `${row.source}:!conflict`, key: composeKey([first, row.fingerprint]), conflicts_with: first };
}

export function unmatchedRow(webhook: UnmatchedWebhook, eventId: EventId): EventRow {
  const bodyHash = unmatchedKey(webhook);
  return {
    event_id: eventId,
    scope: `${webhook.source}:!unmatched`,
    key: bodyHash,
    source: webhook.source,
    idempotency_key: bodyHash,
    correlation_id: webhook.correlationId,
    fingerprint: bodyHash,
    payload: webhook.body,
    request: webhook.request,
    work_status: 'dead',
    reject_reason: webhook.code,
    reject_detail: webhook.reason,
  };
}

/**
 * Stops the second letter about one webhook that is sent again and again. Vendors say in a header what a body is about,
 * and then one body may be two facts.
 */
function unmatchedKey({ body, distinction }: UnmatchedWebhook): string {
  const hash = createHash('sha256').update(body);
  for (const part of distinction) hash.update('\u0000').update(part);
  return hash.digest('hex');
}
