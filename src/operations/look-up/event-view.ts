import { readAwaitedName } from '../../domain/awaited-name.js';
import { readEventLinks } from '../../domain/event-links.js';
import type { Delivery } from '../../flow/delivery/delivery.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { eventStanding } from '../../flow/inbox/event-standing.js';
import type { TracedHop } from '../../flow/trace/traced-hop.js';
import type { Renderable } from '../../platform/http/render-json.js';
import type { EventListRow } from './look-up.sql.js';

/** An event as lists show it. */
export function eventView(row: EventListRow): { readonly [name: string]: Renderable } {
  const { status, outcome, code, internalId } = eventStanding(row);
  const { system, entity_type: type, external_id } = row;
  return {
    event_id: row.event_id,
    source: row.source,
    event_type: row.event_type ?? undefined,
    idempotency_key: row.idempotency_key,
    entity: type === null ? undefined : { system, type, external_id },
    version: row.version ?? undefined,
    occurred_at: row.occurred_at ?? undefined,
    correlation_id: row.correlation_id,
    received_at: row.received_at,
    status,
    outcome,
    reason_code: code,
    reason: row.reject_detail ?? row.detail ?? undefined,
    waits_for: row.waits_for?.map((name) => waitView(name, row)),
    waits_until: row.waits_for === null ? undefined : (row.wait_until ?? undefined),
    internal_id: internalId,
    revision: row.revision ?? undefined,
    conflicts_with: row.conflicts_with ?? undefined,
    contract: { read: row.contract ?? undefined, decided: row.deciding_contract ?? undefined },
  };
}

/** One of the things that a parked event waits for. */
function waitView(name: string, { waits_states: states }: EventListRow): { readonly [name: string]: Renderable } {
  const thing = readAwaitedName(name);
  if (thing.kind === 'state') return { kind: 'state', internal_id: thing.internalId, states: states ?? [] };
  const { kind, system, type, externalId } = thing;
  return { kind, system, entity_type: type, external_id: externalId };
}

/** What an event said about other ids of its entity; nothing where it said nothing. */
export function linksView(event: AcceptedEvent): { readonly [name: string]: Renderable } {
  const { links: text, system, entity_type: type, external_id } = event;
  if (text === null || type === null) return {};
  const { others, internalId } = readEventLinks(text, { type });
  return {
    entity: { system, type, external_id, internal_id: internalId },
    links: others.map((other) => ({ system: other.system, external_id: other.externalId })),
  };
}

/** Every hop of an event in the order in which it happened, beginning with its receipt. */
export function hopViews(
  event: Pick<EventListRow, 'event_id' | 'source' | 'received_at'>,
  trace: readonly TracedHop[],
): HopView[] {
  const received: HopView = { at: event.received_at, event_id: event.event_id, node: event.source, status: 'RECEIVED' };
  const hops = trace.flatMap((row): HopView[] => [...stagesOf(row), hopView(row)]);
  return [received, ...hops].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

export interface HopView {
  readonly [name: string]: Renderable;
  readonly at: string;
  readonly event_id: string;
  readonly node: string;
  readonly status: string;
}

function hopView(row: TracedHop): HopView {
  return {
    at: row.at,
    event_id: row.event_id,
    node: row.node,
    status: row.status,
    outcome: row.outcome ?? undefined,
    reason_code: row.code ?? undefined,
    reason: row.detail ?? undefined,
    attempt: row.attempt ?? undefined,
    retry_count: row.retry_count ?? undefined,
    retry_interval: row.retry_interval_ms === null ? undefined : row.retry_interval_ms / 1000,
    reject_reason: row.reject_reason ?? undefined,
    internal_id: row.internal_id ?? undefined,
    revision: row.revision ?? undefined,
    external_id: row.external_id ?? undefined,
    duration_ms: row.duration_ms ?? undefined,
    contract: row.contract ?? undefined,
  };
}

/** The stages that one row stands for, but for the receipt, which the event itself tells. */
function stagesOf(row: TracedHop): HopView[] {
  const hops = row.hops === null ? [] : (JSON.parse(row.hops) as { readonly status: string; readonly at: string }[]);
  return hops
    .filter(({ status }) => status !== 'RECEIVED')
    .map(({ status, at }) => ({ at, event_id: row.event_id, node: row.node, status }));
}

/**
 * A delivery as an event sees it: delivered once the target has reached the revision that the event made.
 *
 * @param revision of the entity after the event; undefined shows the delivery for its own sake
 */
export function deliveryView(delivery: Delivery, revision?: bigint): { readonly [name: string]: Renderable } {
  const isReached = revision !== undefined && delivery.reached_revision >= revision;
  return {
    target: delivery.target,
    status: isReached ? 'delivered' : delivery.status,
    wanted_revision: delivery.wanted_revision,
    reached_revision: delivery.reached_revision,
    dirty: delivery.dirty_seq > delivery.clean_seq,
    attempts: delivery.attempts,
    reason_code: delivery.last_code ?? undefined,
    reason: delivery.last_detail ?? undefined,
    delivered_at: delivery.delivered_at ?? undefined,
  };
}
