import { Injectable } from '@nestjs/common';
import type { WebhookBody } from '../../domain/contract/message.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import { readWebhook, type FilledAnswer, type ReadItem, type Unmatched } from '../../domain/envelope/read-webhook.js';
import { SyncError } from '../../domain/sync-error.js';
import type { OutcomeWait } from './outcome-wait.js';
import { RateLimits } from './rate-limits.js';
import { Receive } from './receive.js';
import { verdictAnswer, type VerdictAnswer } from './verdict-answer.js';
import { distinctionOf, keptRequest } from './webhook-request.js';

/** What the sender of a webhook is told. */
export type WebhookOutcome =
  | { readonly kind: 'one'; readonly answer: VerdictAnswer | UnmatchedAnswer; readonly correlationId: string }
  | { readonly kind: 'each'; readonly results: readonly WebhookItem[] }
  | { readonly kind: 'answer'; readonly answer: FilledAnswer };

/** A webhook that is kept for a person, because no rule could read it. */
export interface UnmatchedAnswer {
  readonly event_id: string;
  readonly verdict: 'unmatched';
  readonly reason_code: string;
  readonly detail: string;
  readonly correlation_id: string;
}

/** What became of one element of a webhook's list; `event_id` of one that no rule could read is the whole webhook's. */
export type WebhookItem = { readonly index: number } & (VerdictAnswer | UnmatchedAnswer);

const UNSTORABLE: Unmatched = {
  kind: 'unmatched',
  code: 'event.unstorable',
  reason: 'PostgreSQL refuses the values of this event.',
};

/** Reads an authentic webhook and stores what it says; what cannot be read is kept as it came. */
@Injectable()
export class ReceiveWebhook {
  constructor(
    private readonly receive: Receive,
    private readonly limits: RateLimits,
  ) {}

  /**
   * @param wait where the sender asked for the outcome
   * @throws SyncError only where the whole webhook has to come again
   */
  async receiveWebhook(body: WebhookBody, reception: Reception, wait?: OutcomeWait): Promise<WebhookOutcome> {
    const read = readWebhook(body, reception);
    switch (read.kind) {
      case 'answer':
        return read;
      case 'each':
        return this.each(read.items, body, reception, wait);
      case 'event':
      case 'unmatched':
        return this.one(read, body, reception, wait);
    }
  }

  private async one(
    item: ReadItem,
    body: WebhookBody,
    reception: Reception,
    wait: OutcomeWait | undefined,
  ): Promise<WebhookOutcome> {
    const { correlationId } = item.kind === 'event' ? item.event : reception;
    const stored = await this.store(item, wait);
    const answer =
      stored.kind === 'unmatched' ? await this.keep(stored, body, { ...reception, correlationId }) : stored.answer;
    return { kind: 'one', answer, correlationId };
  }

  /** One element that cannot be read keeps the whole webhook for a person, once; read again, the others are copies. */
  private async each(
    items: readonly ReadItem[],
    body: WebhookBody,
    reception: Reception,
    wait: OutcomeWait | undefined,
  ): Promise<WebhookOutcome> {
    this.limits.charge(reception.source, Math.max(items.length - 1, 0));
    const stored = await Promise.all(items.map((item) => this.store(item, wait)));
    const unread = stored.flatMap((item, index) => (item.kind === 'unmatched' ? [{ ...item, index }] : []));
    const kept = unread.length === 0 ? undefined : await this.keep(summaryOf(unread), body, reception);
    const results = stored.map((item, index): WebhookItem => {
      if (item.kind === 'stored') return { index, ...item.answer };
      if (kept === undefined) throw new Error('What could not be read was not kept.');
      return { index, ...kept, reason_code: item.code, detail: item.reason };
    });
    return { kind: 'each', results };
  }

  /** What the database refuses cannot be put right by its sender either, and is kept with what no rule could read. */
  private async store(item: ReadItem, wait: OutcomeWait | undefined): Promise<Stored> {
    if (item.kind === 'unmatched') return item;
    try {
      const verdict = await this.receive.event(item.event, wait);
      return { kind: 'stored', answer: verdictAnswer(verdict, item.event.correlationId) };
    } catch (error) {
      if (error instanceof SyncError && error.code === 'event.unstorable') return UNSTORABLE;
      throw error;
    }
  }

  private async keep({ code, reason }: Unmatched, body: WebhookBody, reception: Reception): Promise<UnmatchedAnswer> {
    const { source, correlationId } = reception;
    const { ingest } = source;
    if (ingest === undefined) throw new Error(`${source.name} sends nothing.`);
    const eventId = await this.receive.unmatched({
      source: source.name,
      body: body.text,
      request: JSON.stringify(keptRequest(body, ingest)),
      distinction: distinctionOf(body, ingest),
      correlationId,
      reason,
      code,
    });
    return {
      event_id: eventId,
      verdict: 'unmatched',
      reason_code: code,
      detail: reason,
      correlation_id: correlationId,
    };
  }
}

type Stored = { readonly kind: 'stored'; readonly answer: VerdictAnswer } | Unmatched;

type UnreadElement = Unmatched & { readonly index: number };

const NAMED_MAX = 5;

function summaryOf(unread: readonly UnreadElement[]): Unmatched {
  const codes = [...new Set(unread.map(({ code }) => code))];
  const [code = 'webhook.unmatched', ...others] = codes;
  const named = unread.slice(0, NAMED_MAX).map(({ index, reason }) => `Element ${String(index)}: ${reason}`);
  const more = unread.length > NAMED_MAX ? [`And ${String(unread.length - NAMED_MAX)} more.`] : [];
  return {
    kind: 'unmatched',
    code: others.length === 0 ? code : 'webhook.unmatched',
    reason: [...named, ...more].join(' '),
  };
}
