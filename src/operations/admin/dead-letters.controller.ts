import { Controller, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { parseEventId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { Access } from '../../platform/http/access.js';
import { JsonBody } from '../../platform/http/json-body.pipe.js';
import { ReplayDocs } from './admin.docs.js';
import { ReplayRequest } from './dead-letters.dto.js';
import { ReplayWebhook, type Replayed } from './replay-webhook.js';

/** What was given up, and its way back. */
@Controller('v1/admin/dead-letters')
@Access({ kind: 'role', role: 'operator' })
export class DeadLettersController {
  constructor(private readonly replayWebhook: ReplayWebhook) {}

  @Post(':event_id/replay')
  @HttpCode(200)
  @ReplayDocs()
  async replay(
    @Param('event_id') id: string,
    @JsonBody(ReplayRequest) { reason }: ReplayRequest,
    @Req() request: FastifyRequest,
  ): Promise<Replayed> {
    const eventId = parseEventId(id);
    if (eventId === undefined) throw new SyncError('event.not_found', `There is no event ${quoted(id)}.`);
    return this.replayWebhook.replay({ eventId, reason, operator: request.caller?.accessKey?.name ?? 'operator' });
  }
}
