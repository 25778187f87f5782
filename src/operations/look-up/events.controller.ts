import { Controller, Get, Inject, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyScope } from '../../domain/business-key.js';
import type { Contract } from '../../domain/contract/contract.js';
import { normalizeExternalId } from '../../domain/external-id.js';
import { parseEventId, parseInternalId, type EventId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { DeliveriesService } from '../../flow/delivery/deliveries.service.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import { TraceService } from '../../flow/trace/trace.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { pageOf, readQuery } from '../../platform/http/page-query.js';
import { RawJson, sendJson } from '../../platform/http/render-json.js';
import { deliveryView, eventView, hopViews, linksView } from './event-view.js';
import { eventStatesView } from './states-view.js';
import { EVENT_QUERY, readEventFilter } from './event-filter.js';
import { findEventIdsByKey, findEventIdsOfEntity, findEventsWithStanding, listEvents } from './look-up.sql.js';
import { EventDocs, EventListDocs, WhyDocs } from './look-up.docs.js';
import { why } from './why.js';

/** Events about one entity that a list looks through; older ones are found by time. */
const EVENTS_OF_ENTITY_MAX = 5_000;

/** Answers "where is it?" for one event or a list of them. */
@Controller('v1/events')
@Access({ kind: 'role', role: 'viewer' })
export class EventLookUpController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly inbox: InboxService,
    private readonly trace: TraceService,
    private readonly deliveries: DeliveriesService,
  ) {}

  @Get()
  @EventListDocs()
  async list(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    const query = readQuery(request, EVENT_QUERY);
    const filter = readEventFilter(query);
    const eventIds = await this.narrow(query.idempotency_key, query.entity);
    const rows = await listEvents(this.database, { ...filter, event_ids: eventIds, limit: filter.limit + 1 });
    return sendJson(
      reply,
      pageOf(rows, filter.limit, (row) => row.event_id, eventView),
    );
  }

  @Get(':event_id')
  @EventDocs()
  async one(
    @Param('event_id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    const eventId = parseEventId(id);
    const [event] = eventId === undefined ? [] : await this.inbox.events([eventId]);
    const standing = event === undefined ? undefined : await this.standingOf(event.event_id);
    if (event === undefined || standing === undefined) {
      throw new SyncError('event.not_found', `There is no event ${quoted(id)}.`);
    }
    const { row, trace, deliveries } = standing;
    return sendJson(reply, {
      ...eventView(row),
      ...eventStatesView(event),
      ...linksView(event),
      ...(event.retry === null ? {} : { retry: new RawJson(event.retry) }),
      payload: new RawJson(event.payload),
      ...(event.request === null ? {} : { request: new RawJson(event.request) }),
      trace: hopViews(row, trace),
      deliveries: deliveries.map((delivery) => deliveryView(delivery, row.revision ?? undefined)),
    });
  }

  @Get(':event_id/why')
  @WhyDocs()
  async why(
    @Param('event_id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    const eventId = parseEventId(id);
    const standing = eventId === undefined ? undefined : await this.standingOf(eventId);
    if (standing === undefined) throw new SyncError('event.not_found', `There is no event ${quoted(id)}.`);
    const { row, trace } = standing;
    const { status, outcome, reason_code, waits_for, waits_until } = eventView(row);
    return sendJson(reply, {
      event_id: row.event_id,
      status,
      outcome,
      reason_code,
      why: why(row),
      waits_for,
      waits_until,
      trace: hopViews(row, trace),
    });
  }

  private standingOf(eventId: EventId) {
    return this.database.snapshot(async (tx) => {
      const [row] = await findEventsWithStanding(tx, [eventId]);
      if (row === undefined) return undefined;
      const trace = await this.trace.ofEvents(tx, [eventId]);
      const internalId = parseInternalId(row.internal_id ?? '');
      const deliveries = internalId === undefined ? [] : await this.deliveries.ofEntities(tx, [internalId]);
      return { row, trace, deliveries };
    });
  }

  /** The ids that a key or an entity leads to; null where the query names neither. */
  private async narrow(key: string | undefined, entity: string | undefined): Promise<readonly string[] | null> {
    const byKey = key === undefined ? null : await findEventIdsByKey(this.database, key, this.allScopes());
    const byEntity = entity === undefined ? null : await this.eventIdsOf(entity);
    if (byKey === null || byEntity === null) return byKey ?? byEntity;
    return byKey.filter((id) => byEntity.includes(id));
  }

  /** Every room in which a key can stand: the index over keys begins with the room. */
  private allScopes(): string[] {
    const { systems, eventTypes } = this.contract;
    return [...systems.keys()].flatMap((source) =>
      [...eventTypes.values()].map(({ name, sharedScope }) => keyScope(source, name, sharedScope)),
    );
  }

  private eventIdsOf(entity: string): Promise<string[]> {
    const [, systemName = '', type = '', rawId = ''] = /^([^:]+):([^:]+):(.+)$/s.exec(entity) ?? [];
    const system = this.contract.systems.get(systemName);
    const id = system === undefined ? undefined : normalizeExternalId(rawId, system.externalIds);
    if (id?.kind !== 'id') {
      throw new SyncError('request.invalid', '`entity` is `system:type:external_id`, of a system in the contract.');
    }
    return findEventIdsOfEntity(
      this.database,
      { system: systemName, type, external_id: id.externalId },
      EVENTS_OF_ENTITY_MAX,
    );
  }
}
