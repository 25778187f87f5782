import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../../domain/contract/contract.js';
import { readWebhook } from '../../domain/envelope/read-webhook.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Access } from '../../platform/http/access.js';
import { jsonText, parseJson } from '../../platform/http/raw-body.js';
import { WebhookDocs } from './ingest.docs.js';
import { Receive } from './receive.js';
import { checkBodySize, receptionOf } from './reception.js';
import { SourceGate } from './source-gate.js';
import { verdictAnswer, type VerdictAnswer } from './verdict-answer.js';

const WEBHOOK_BYTES_MAX = 1_048_576;

/** A webhook that is kept for a person, because no rule could read it. */
export interface UnmatchedAnswer {
  readonly event_id: string;
  readonly verdict: 'unmatched';
  readonly reason_code: string;
  readonly detail: string;
  readonly correlation_id: string;
}

/** Vendors' webhooks. Everything authentic is answered 200: some vendors switch a hook off for anything else. */
@Controller('v1/webhooks')
@Access({ kind: 'source' })
export class WebhooksController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly gate: SourceGate,
    private readonly clock: DatabaseClock,
    private readonly receive: Receive,
  ) {}

  @Post(':system')
  @HttpCode(200)
  @WebhookDocs()
  async one(
    @Param('system') system: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<VerdictAnswer | UnmatchedAnswer> {
    const source = this.gate.admitTo(system, request);
    checkBodySize(request, WEBHOOK_BYTES_MAX);
    const text = jsonText(request);
    const { value: body } = parseJson(text);
    const reception = receptionOf(request, this.contract, source, this.clock);
    const read = readWebhook(body, text, reception);
    const { correlationId } = read.kind === 'event' ? read.event : reception;
    void reply.header('x-correlation-id', correlationId);
    if (read.kind === 'event') {
      return verdictAnswer(await this.receive.event(read.event), correlationId);
    }
    const { code, reason } = read;
    const eventId = await this.receive.unmatched({ source: source.name, body: text, correlationId, reason, code });
    return {
      event_id: eventId,
      verdict: 'unmatched',
      reason_code: code,
      detail: reason,
      correlation_id: correlationId,
    };
  }
}
