import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { readEventLinks } from '../../domain/event-links.js';
import { letterTag } from '../../flow/work/dead-letter.js';
import { RawJson, type Renderable } from '../../platform/http/render-json.js';
import type { AttemptRow, LetterGroupRow, LetterRow } from './dead-letters.sql.js';

type View = Readonly<Record<string, Renderable>>;

/** A letter as lists show it. */
export function letterView(row: LetterRow): View {
  const { system, entity_type: type, external_id, kind } = row;
  return {
    letter_id: row.letter_id,
    kind,
    reason_code: row.code ?? undefined,
    reason: row.detail ?? undefined,
    class: row.class ?? undefined,
    attempts: row.attempts,
    dead_at: row.dead_at,
    target: kind === 'delivery' ? row.topic : undefined,
    source: row.source ?? undefined,
    event_id: row.event_id ?? undefined,
    event_type: row.event_type ?? undefined,
    idempotency_key: row.idempotency_key ?? undefined,
    entity: type === null ? undefined : { type, system: system ?? undefined, external_id: external_id ?? undefined },
    internal_id: row.internal_id ?? undefined,
    correlation_id: row.correlation_id ?? undefined,
    wanted_revision: row.wanted_revision ?? undefined,
    reached_revision: row.reached_revision ?? undefined,
    etag: letterTag(row),
  };
}

export function groupView(row: LetterGroupRow): View {
  const isDelivery = row.kind === 'delivery';
  return {
    kind: row.kind,
    reason_code: row.code ?? undefined,
    class: row.class ?? undefined,
    target: isDelivery ? row.topic : undefined,
    source: isDelivery ? undefined : row.topic,
    event_type: row.event_type ?? undefined,
    count: row.count,
    oldest: row.oldest,
    newest: row.newest,
  };
}

export function attemptView(row: AttemptRow): View {
  return {
    at: row.at,
    event_id: row.event_id,
    status: row.status,
    reason_code: row.code ?? undefined,
    reason: row.detail ?? undefined,
    attempt: row.attempt ?? undefined,
    revision: row.revision ?? undefined,
  };
}

/** What was sent; for a webhook that no rule read, also what rules may read beside its body. */
export function contentView(event: AcceptedEvent): View {
  const { links, entity_type: type } = event;
  const said = links === null || type === null ? undefined : readEventLinks(links, { type });
  return {
    version: event.version ?? undefined,
    occurred_at: event.occurred_at ?? undefined,
    links: said?.others.map((other) => ({ system: other.system, external_id: other.externalId })),
    entity_internal_id: said?.internalId,
    state: event.state ?? undefined,
    expected_current_state: event.expected_state ?? undefined,
    retry: event.retry === null ? undefined : new RawJson(event.retry),
    payload: new RawJson(event.payload),
    request: event.request === null ? undefined : new RawJson(event.request),
  };
}

/** What a replay of the letter would do, in words. */
export function replayInWords({ kind, event_type, topic }: LetterRow): string {
  if (kind === 'delivery') return deliveryInWords(topic);
  return event_type === null ? WEBHOOK_IN_WORDS : EVENT_IN_WORDS;
}

export function deliveryInWords(target: string): string {
  return `${target} is called at once with the newest state of the entity, whatever was to be sent at first.`;
}

export const EVENT_IN_WORDS =
  'The event is processed again under its own key and passes every gate: if a newer one was applied meanwhile, it ends ' +
  'as stale and changes nothing.';
export const WEBHOOK_IN_WORDS =
  'The webhook is read again by the contract of today; what was remembered of it before is a duplicate.';
