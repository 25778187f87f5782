import { Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../platform/http/access.js';
import { Credentials } from '../../platform/http/credentials.js';
import { JsonBody } from '../../platform/http/json-body.pipe.js';
import { readQuery } from '../../platform/http/page-query.js';
import { RawJson, sendJson, type Renderable } from '../../platform/http/render-json.js';
import { BulkReplayRequest, LetterRequest } from './dead-letters.dto.js';
import { readLetterFilter } from './letter-filter.js';
import { readWish } from './letter-wish.js';
import { BulkReplayDocs, CancelReplayDocs, ReplayProgressDocs } from './replays.docs.js';
import { ReplaysService } from './replays.service.js';
import type { ReplayRow } from './replays.sql.js';

const PACE_DEFAULT = 10;

/** Replays of many letters at a pace. */
@Controller('v1/admin/dead-letters/replays')
@Access({ kind: 'role', role: 'operator' })
export class ReplaysController {
  constructor(
    private readonly replays: ReplaysService,
    private readonly credentials: Credentials,
  ) {}

  @Post()
  @HttpCode(202)
  @BulkReplayDocs()
  async begin(
    @JsonBody(BulkReplayRequest) body: BulkReplayRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { isDryRun, ...wish } = readWish(request, body, this.credentials);
    const filter = readLetterFilter(body.filter ?? {});
    if (isDryRun) {
      void reply.status(200);
      return sendJson(reply, { dry_run: true, total: await this.replays.count(filter) });
    }
    const pace = body.pace === undefined ? PACE_DEFAULT : Number(body.pace);
    return sendJson(reply, replayView(await this.replays.begin({ ...wish, filter, pace })));
  }

  @Get(':replay_id')
  @Access({ kind: 'role', role: 'viewer' })
  @ReplayProgressDocs()
  async progress(
    @Param('replay_id') replayId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    readQuery(request, []);
    return sendJson(reply, replayView(await this.replays.find(replayId)));
  }

  @Post(':replay_id/cancel')
  @HttpCode(200)
  @CancelReplayDocs()
  async cancel(
    @Param('replay_id') replayId: string,
    @JsonBody(LetterRequest) body: LetterRequest,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { isDryRun, ...wish } = readWish(request, body, this.credentials);
    const row = isDryRun ? await this.replays.find(replayId) : await this.replays.cancel(replayId, wish);
    return sendJson(reply, { ...replayView(row), ...(isDryRun ? { dry_run: true } : {}) });
  }
}

function replayView(row: ReplayRow): Readonly<Record<string, Renderable>> {
  const { replay_id, status, pace, reason, operator, total, done, superseded, failed, started_at } = row;
  return {
    replay_id,
    status,
    filter: new RawJson(row.filter),
    pace,
    reason,
    operator,
    total,
    done,
    superseded,
    failed,
    started_at,
    ended_at: row.ended_at ?? undefined,
  };
}
