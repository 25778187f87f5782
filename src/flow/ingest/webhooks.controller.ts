import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract } from '../../domain/contract/contract.js';
import { readWebhook } from '../../domain/envelope/read-webhook.js';
import type { ReceivedEvent } from '../../domain/event.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Access } from '../../platform/http/access.js';
import { jsonText, parseJson } from '../../platform/http/raw-body.js';
import type { Verdict } from '../inbox/verdict.js';
import { WebhookDocs } from './ingest.docs.js';
import { OutcomeWaits, type OutcomeWait } from './outcome-wait.js';
import { RateLimits } from './rate-limits.js';
import { Receive } from './receive.js';
import { checkBodySize, receptionOf } from './reception.js';
import { SourceGate } from './source-gate.js';
import { verdictAnswer, type VerdictAnswer } from './verdict-answer.js';

const WEBHOOK_BYTES_MAX = 1_048_576;
const UNSTORABLE = { code: 'event.unstorable', reason: 'PostgreSQL refuses the values of this event.' } as const;

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
    private readonly limits: RateLimits,
    private readonly clock: DatabaseClock,
    private readonly waits: OutcomeWaits,
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
    this.limits.take(source);
    checkBodySize(request, WEBHOOK_BYTES_MAX);
    const text = jsonText(request);
    const { value: body } = parseJson(text);
    const reception = receptionOf(request, this.contract, source, this.clock);
    const read = readWebhook(body, text, reception);
    const { correlationId } = read.kind === 'event' ? read.event : reception;
    void reply.header('x-correlation-id', correlationId);
    if (read.kind === 'event') {
      const wait = this.waits.askedBy(request);
      const received = await this.receiveOrExplain(read.event, wait);
      if (received.kind !== 'unstorable') {
        wait?.confirm(reply);
        return verdictAnswer(received, correlationId);
      }
    }
    const { code, reason } = read.kind === 'unmatched' ? read : UNSTORABLE;
    const eventId = await this.receive.unmatched({ source: source.name, body: text, correlationId, reason, code });
    return {
      event_id: eventId,
      verdict: 'unmatched',
      reason_code: code,
      detail: reason,
      correlation_id: correlationId,
    };
  }

  /** What the database refuses is kept as a dead letter too: the sender did nothing that it could put right. */
  private async receiveOrExplain(
    event: ReceivedEvent,
    wait: OutcomeWait | undefined,
  ): Promise<Verdict | { readonly kind: 'unstorable' }> {
    try {
      return await this.receive.event(event, wait);
    } catch (error) {
      if (error instanceof SyncError && error.code === 'event.unstorable') return { kind: 'unstorable' };
      throw error;
    }
  }
}
