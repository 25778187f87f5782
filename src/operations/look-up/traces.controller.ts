import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSafeCorrelationId } from '../../domain/correlation-id.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import { TraceService } from '../../flow/trace/trace.service.js';
import { Database } from '../../platform/database/database.js';
import { Access } from '../../platform/http/access.js';
import { readQuery } from '../../platform/http/page-query.js';
import { sendJson } from '../../platform/http/render-json.js';
import { eventView, hopViews } from './event-view.js';
import { TraceDocs } from './look-up.docs.js';
import { findEventsWithStanding } from './look-up.sql.js';

/** Events of one process that a trace shows; the answer says when there are more. */
const EVENTS_MAX = 1_000;

/** One business process over all systems, in order. */
@Controller('v1/traces')
@Access({ kind: 'role', role: 'viewer' })
export class TracesController {
  constructor(
    private readonly database: Database,
    private readonly inbox: InboxService,
    private readonly trace: TraceService,
  ) {}

  @Get(':correlation_id')
  @TraceDocs()
  async one(
    @Param('correlation_id') correlationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    // No event is kept under an id that is not safe, so there is nothing to look for.
    const isKnowable = isSafeCorrelationId(correlationId);
    const events = isKnowable ? await this.inbox.eventsOfProcess(correlationId, EVENTS_MAX + 1) : [];
    if (events.length === 0) {
      throw new SyncError('trace.not_found', `No event carries the correlation id ${quoted(correlationId)}.`);
    }
    const eventIds = events.slice(0, EVENTS_MAX).map(({ event_id }) => event_id);
    const { rows, hops } = await this.database.snapshot(async (tx) => ({
      rows: await findEventsWithStanding(tx, eventIds),
      hops: await this.trace.ofEvents(tx, eventIds),
    }));
    const inOrder = rows.sort((a, b) => (a.event_id < b.event_id ? -1 : 1));
    return sendJson(reply, {
      correlation_id: correlationId,
      is_complete: events.length <= EVENTS_MAX,
      events: inOrder.map(eventView),
      hops: inOrder
        .flatMap((row) =>
          hopViews(
            row,
            hops.filter(({ event_id }) => event_id === row.event_id),
          ),
        )
        .sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))),
    });
  }
}
