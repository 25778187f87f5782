import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Contract, System } from '../../domain/contract/contract.js';
import type { PartPlaces } from '../../domain/envelope/part-places.js';
import type { ReceivedEvent } from '../../domain/event.js';
import { isJsonArray, type Json } from '../../domain/json/json.js';
import { CODES, SyncError, type Code } from '../../domain/sync-error.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Access } from '../../platform/http/access.js';
import type { Incoming, Outgoing } from '../../platform/http/exchange.js';
import { PROBLEM_MEDIA_TYPE } from '../../platform/http/problem.js';
import { unpackedBody } from '../../platform/http/unpacked-body.js';
import { isFinal } from '../inbox/event-standing.js';
import { OutcomeWaits } from './outcome-wait.js';
import { RateLimits } from './rate-limits.js';
import { Receive } from './receive.js';
import { checkBodySize, receptionOf } from './reception.js';
import { sentBatch, sentEvent } from './sent-events.js';
import { SourceGate } from './source-gate.js';
import { conflictProblem, verdictAnswer, type ConflictProblem, type VerdictAnswer } from './verdict-answer.js';
import { BatchDocs, SingleDocs } from './ingest.docs.js';

export const EVENT_BYTES_MAX = 1_048_576;
const BATCH_BYTES_MAX = 16_777_216;
const BATCH_EVENTS_MAX = 1000;

/** One item's answer in a batch; `verdict: refused` with its code where the single call would have been an error. */
export type BatchItem =
  | ({ readonly index: number } & VerdictAnswer)
  | {
      readonly index: number;
      readonly verdict: 'refused';
      readonly code: Code;
      readonly detail: string;
      readonly at?: string;
      readonly retryable: boolean;
    };

@Controller('v1/events')
@Access({ kind: 'source' })
export class EventsController {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly gate: SourceGate,
    private readonly limits: RateLimits,
    private readonly clock: DatabaseClock,
    private readonly waits: OutcomeWaits,
    private readonly receive: Receive,
  ) {}

  @Post()
  @SingleDocs()
  async one(
    @Req() request: Incoming,
    @Res({ passthrough: true }) reply: Outgoing,
  ): Promise<VerdictAnswer | ConflictProblem> {
    const source = this.gate.admit(request);
    this.limits.take(source);
    checkBodySize(request, EVENT_BYTES_MAX);
    const sent = sentEvent(await unpacked(request, source, EVENT_BYTES_MAX));
    const event = sent.read(receptionOf(request, this.contract, source, this.clock));
    reply.header('x-correlation-id', event.correlationId);
    const wait = this.waits.askedBy(request);
    const verdict = await this.receive.event(event, wait);
    if (verdict.kind === 'conflict') {
      reply.status(422);
      reply.type(PROBLEM_MEDIA_TYPE);
      return conflictProblem(verdict, event.correlationId, sent.places);
    }
    wait?.confirm(reply);
    reply.status(verdict.kind === 'accepted' && !isFinal(verdict.standing) ? 202 : 200);
    return verdictAnswer(verdict, event.correlationId);
  }

  @Post('batch')
  @HttpCode(200)
  @BatchDocs()
  async batch(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ readonly results: readonly BatchItem[] }> {
    const source = this.gate.admit(request);
    this.limits.take(source);
    checkBodySize(request, BATCH_BYTES_MAX);
    const sent = sentBatch(await unpacked(request, source, BATCH_BYTES_MAX));
    const items = checkBatch(sent.value);
    this.limits.charge(source, items.length - 1);
    const reception = receptionOf(request, this.contract, source, this.clock);
    void reply.header('x-correlation-id', reception.correlationId);
    const wait = this.waits.askedBy(request, items.length);
    const results = await Promise.all(
      items.map(async (item, index): Promise<BatchItem> => {
        try {
          const event = sent.read(item, reception);
          checkEventSize(event, sent.places);
          return { index, ...verdictAnswer(await this.receive.event(event, wait), event.correlationId) };
        } catch (error) {
          return refusedItem(index, error);
        }
      }),
    );
    throwIfNothingWasStored(results);
    wait?.confirm(reply);
    return { results };
  }
}

/** Nearly no request is compressed, and those are not made to wait. */
function unpacked(request: Incoming, source: System, bytesMax: number): Incoming | Promise<Incoming> {
  if (request.headers['content-encoding'] === undefined) return request;
  return unpackedBody(request, source.ingest?.contentEncodings ?? [], bytesMax);
}

/** One event has one limit, whichever way it comes: else a sender could not send it again alone. */
function checkEventSize({ payload }: ReceivedEvent, { payload: at }: PartPlaces): void {
  if (Buffer.byteLength(payload) <= EVENT_BYTES_MAX) return;
  const detail = `The payload has more than ${String(EVENT_BYTES_MAX)} bytes.`;
  throw new SyncError('body.too_large', detail, { at });
}

function checkBatch(value: Json): readonly Json[] {
  if (!isJsonArray(value)) throw new SyncError('envelope.invalid', 'A batch is a JSON array of events.', { at: '' });
  if (value.length === 0) throw new SyncError('batch.empty', 'The array is empty.');
  if (value.length <= BATCH_EVENTS_MAX) return value;
  const detail = `The batch holds ${String(value.length)} events; send at most ${String(BATCH_EVENTS_MAX)} at once.`;
  throw new SyncError('batch.too_large', detail);
}

function refusedItem(index: number, error: unknown): BatchItem {
  if (!(error instanceof SyncError)) throw error;
  const { code, message: detail, at } = error;
  return {
    index,
    verdict: 'refused',
    code,
    detail,
    ...(at === undefined ? {} : { at }),
    retryable: CODES[code].retryable,
  };
}

/** Where every item has to come again later the whole call failed: a 200 would be read as a promise. */
function throwIfNothingWasStored(results: readonly BatchItem[]): void {
  const [first] = results;
  if (first?.verdict !== 'refused') return;
  if (!results.every((item) => item.verdict === 'refused' && CODES[item.code].status === 503)) return;
  throw new SyncError(first.code, first.detail, { retryAfterSeconds: 2 });
}
