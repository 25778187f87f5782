import { Controller, Get, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract, System } from '../../domain/contract/contract.js';
import { credentialHeaders } from '../../domain/contract/credential-headers.js';
import type { WebhookBody } from '../../domain/contract/message.js';
import { answerUnsigned, answerWebhook, type FilledAnswer } from '../../domain/envelope/read-webhook.js';
import { SyncError } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Access } from '../../platform/http/access.js';
import type { Incoming } from '../../platform/http/exchange.js';
import { rawBody } from '../../platform/http/raw-body.js';
import { unpackedBody } from '../../platform/http/unpacked-body.js';
import { HandshakeDocs, WebhookDocs } from './ingest.docs.js';
import { OutcomeWaits } from './outcome-wait.js';
import { RateLimits } from './rate-limits.js';
import { ReceiveWebhook, type UnmatchedAnswer, type WebhookItem } from './receive-webhook.js';
import { checkBodySize, receptionOf } from './reception.js';
import { SourceGate } from './source-gate.js';
import type { VerdictAnswer } from './verdict-answer.js';
import { webhookBody } from './webhook-body.js';

const WEBHOOK_BYTES_MAX = 1_048_576;
/** A ping is short, is not compressed, and anybody may send one: more is not even looked at. */
const UNSIGNED_BYTES_MAX = 16_384;

type WebhookAnswer = VerdictAnswer | UnmatchedAnswer | { readonly results: readonly WebhookItem[] } | string;

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
    private readonly receive: ReceiveWebhook,
  ) {}

  @Post(':system')
  @HttpCode(200)
  @WebhookDocs()
  async one(
    @Param('system') system: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookAnswer> {
    const admitted = this.admit(system, request);
    if (admitted.kind === 'answer') return sendAnswer(reply, admitted.answer);
    const { source } = admitted;
    this.limits.take(source);
    const reception = receptionOf(request, this.contract, source, this.clock);
    void reply.header('x-correlation-id', reception.correlationId);
    const wait = this.waits.askedBy(request);
    const outcome = await this.receive.receiveWebhook(await readBody(request, source), reception, wait);
    switch (outcome.kind) {
      case 'answer':
        return sendAnswer(reply, outcome.answer);
      case 'each':
        wait?.confirm(reply);
        return { results: outcome.results };
      case 'one':
        void reply.header('x-correlation-id', outcome.correlationId);
        if (outcome.answer.verdict !== 'unmatched') wait?.confirm(reply);
        return outcome.answer;
    }
  }

  /** Vendors ask whether somebody is there before they save an address; a GET carries no event. */
  @Get(':system')
  @HandshakeDocs()
  async handshake(
    @Param('system') system: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const admitted = this.admit(system, request);
    if (admitted.kind === 'answer') return sendAnswer(reply, admitted.answer);
    const { source } = admitted;
    const reception = receptionOf(request, this.contract, source, this.clock);
    const answer = answerWebhook(await readBody(request, source), reception);
    if (answer !== undefined) return sendAnswer(reply, answer);
    throw new SyncError('resource.not_found', `No rule of ${source.name} with an \`answer\` holds for this request.`);
  }

  /** The system that proved itself, or what a request that proved nothing is answered nevertheless. */
  private admit(name: string, request: Incoming): Admitted {
    try {
      return { kind: 'source', source: this.gate.admitTo(name, request) };
    } catch (refusal) {
      const answer = unsignedAnswer(request, this.contract.systems.get(name));
      if (answer === undefined) throw refusal;
      return { kind: 'answer', answer };
    }
  }
}

type Admitted =
  { readonly kind: 'source'; readonly source: System } | { readonly kind: 'answer'; readonly answer: FilledAnswer };

/** Nothing about such a request is told to its sender, so that one that cannot even be read is refused like any other. */
function unsignedAnswer(request: Incoming, source: System | undefined): FilledAnswer | undefined {
  const { unsigned: rules = [], auth = [] } = source?.ingest ?? {};
  if (source === undefined || rules.length === 0) return undefined;
  // Who shows a credential wants more than an answer, and must hear that it is wrong.
  if (credentialHeaders(auth).some((name) => request.headers[name] !== undefined)) return undefined;
  if (rawBody(request).length > UNSIGNED_BYTES_MAX) return undefined;
  try {
    return answerUnsigned(webhookBody(request, request.raw.url ?? ''), rules);
  } catch (error) {
    if (error instanceof SyncError) return undefined;
    throw error;
  }
}

async function readBody(request: Incoming, source: System): Promise<WebhookBody> {
  checkBodySize(request, WEBHOOK_BYTES_MAX);
  const unpacked = await unpackedBody(request, source.ingest?.contentEncodings ?? [], WEBHOOK_BYTES_MAX);
  return webhookBody(unpacked, request.raw.url ?? '');
}

/** As text that no browser takes for a page: what is echoed was written by whoever asked. */
function sendAnswer(reply: FastifyReply, { status, text }: FilledAnswer): string {
  void reply.status(status).type('text/plain; charset=utf-8').header('x-content-type-options', 'nosniff');
  return text;
}
