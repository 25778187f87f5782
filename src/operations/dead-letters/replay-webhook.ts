import { Inject, Injectable } from '@nestjs/common';
import type { Contract, System } from '../../domain/contract/contract.js';
import type { WebhookBody } from '../../domain/contract/message.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import { readWebhook, type ReadItem, type Unmatched } from '../../domain/envelope/read-webhook.js';
import type { EventId } from '../../domain/ids.js';
import { readJson } from '../../domain/json/read-json.js';
import { SyncError } from '../../domain/sync-error.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import type { ForeseenVerdict } from '../../flow/inbox/verdict.js';
import { verdictAnswer, type VerdictAnswer } from '../../flow/ingest/verdict-answer.js';
import { TraceService } from '../../flow/trace/trace.service.js';
import { DeadLettersService } from '../../flow/work/dead-letters.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import type { Tx } from '../../platform/database/database.js';
import { AuditService } from '../audit/audit.service.js';
import { auditedLetter, type UnreadWebhook } from './letters-in-hand.js';
import { inOperatorsWords, type LetterWish } from './letter-wish.js';

/** Of a long list only the first are named in the trace; each is found by its correlation id. */
const EVENTS_NAMED_MAX = 20;

/** What the contract of today makes of a webhook that was kept; one result per event in it. */
export interface Replayed {
  readonly event_id: EventId;
  /** COMPLETED: everything in it is remembered, and the letter is closed. DEAD: some of it still cannot be read. */
  readonly status: 'COMPLETED' | 'DEAD';
  readonly results: readonly ReplayedItem[];
  /** Nothing was changed: this is what would be. */
  readonly dry_run?: true;
}

export type ReplayedItem =
  | VerdictAnswer
  | { readonly verdict: ForeseenVerdict['kind']; readonly event_id?: string }
  | { readonly verdict: 'unmatched'; readonly reason_code: string; readonly detail: string };

/** Reads webhooks again that no rule could read when they came. */
@Injectable()
export class ReplayWebhook {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly clock: DatabaseClock,
    private readonly inbox: InboxService,
    private readonly letters: DeadLettersService,
    private readonly trace: TraceService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Remembers what can be read now, in the transaction that closes the letter when nothing in it is left unread; so of
   * all who repair one letter at once one succeeds. A part that was remembered before is its duplicate, so that a
   * replay which left something unread may be repeated. The caller rings the bell after the commit.
   *
   * @returns undefined when the letter is no longer as it was seen
   * @throws SyncError `dead_letter.not_replayable` when the contract no longer has its source, or what the inbox throws
   */
  async replayWithin(tx: Tx, held: UnreadWebhook, wish: LetterWish): Promise<Replayed | undefined> {
    const { letter, event } = held;
    const items = this.read(event);
    if (!(await this.letters.lock(tx, letter))) return undefined;
    const results = await this.rememberWithin(tx, items);
    const replayed = { event_id: event.event_id, status: statusOf(results), results } as const;
    if (replayed.status === 'COMPLETED') await this.letters.end(tx, letter);
    await this.record(tx, held, wish, replayed);
    return replayed;
  }

  /** What a replay would say now; nothing is remembered. */
  async foretell({ event }: UnreadWebhook): Promise<Replayed> {
    const results = await Promise.all(this.read(event).map((item) => this.foresee(item)));
    return { event_id: event.event_id, status: statusOf(results), results, dry_run: true };
  }

  private read(letter: AcceptedEvent): readonly ReadItem[] {
    const source = this.contract.systems.get(letter.source);
    if (source?.ingest === undefined) throw notReplayable(`The contract no longer lets \`${letter.source}\` send.`);
    const read = readWebhook(bodyOf(letter), this.receptionOf(letter, source));
    switch (read.kind) {
      case 'each':
        return read.items.length === 0 ? [noEvent('Its list is empty.')] : read.items;
      case 'answer':
        return [noEvent('A rule answers it.')];
      case 'event':
      case 'unmatched':
        return [read];
    }
  }

  private receptionOf({ correlation_id, traceparent }: AcceptedEvent, source: System): Reception {
    return {
      contract: this.contract,
      source,
      correlationId: correlation_id,
      traceparent: traceparent ?? undefined,
      nowMicros: this.clock.nowMicros(),
    };
  }

  private async rememberWithin(tx: Tx, items: readonly ReadItem[]): Promise<readonly ReplayedItem[]> {
    const events = items.flatMap((item) => (item.kind === 'event' ? [item.event] : []));
    const verdicts = await this.inbox.rememberWithin(tx, events);
    const answers = new Map(events.map((event, at) => [event, verdicts[at]]));
    return items.map((item) => {
      if (item.kind === 'unmatched') return unread(item);
      const verdict = answers.get(item.event);
      if (verdict === undefined) throw new Error('A part of a webhook was not remembered.');
      if (verdict.kind !== 'refused') return verdictAnswer(verdict, item.event.correlationId);
      return unread({ code: verdict.error.code, reason: verdict.error.message });
    });
  }

  private async foresee(item: ReadItem): Promise<ReplayedItem> {
    if (item.kind === 'unmatched') return unread(item);
    const { kind: verdict, ...known } = await this.inbox.foresee(item.event);
    return 'eventId' in known ? { verdict, event_id: known.eventId } : { verdict };
  }

  private async record(
    tx: Tx,
    { letter, event }: UnreadWebhook,
    wish: LetterWish,
    { event_id: eventId, status, results }: Replayed,
  ): Promise<void> {
    const events = results.flatMap(becameOf).slice(0, EVENTS_NAMED_MAX);
    await this.audit.record(tx, {
      actor: wish.operator,
      action: 'dead_letter.replay',
      subject: eventId,
      reason: wish.reason,
      correlationId: event.correlation_id,
      before: auditedLetter(letter),
      after: { status, events },
    });
    if (status !== 'COMPLETED') return;
    const detail = `${inOperatorsWords(wish)} It became ${events.join(', ')}.`;
    await this.trace.write(tx, [{ eventId, node: 'operator', status: 'COMPLETED', outcome: 'replayed', detail }]);
  }
}

/** Of a conflict it is the event under which the second content is kept; the first is somebody else's. */
function becameOf(result: ReplayedItem): readonly string[] {
  const conflict = 'conflict_event_id' in result ? result.conflict_event_id : undefined;
  const eventId = conflict ?? ('event_id' in result ? result.event_id : undefined);
  return eventId === undefined ? [] : [eventId];
}

function statusOf(results: readonly ReplayedItem[]): Replayed['status'] {
  return results.some(({ verdict }) => verdict === 'unmatched') ? 'DEAD' : 'COMPLETED';
}

function unread({ code, reason }: Pick<Unmatched, 'code' | 'reason'>): ReplayedItem {
  return { verdict: 'unmatched', reason_code: code, detail: reason };
}

function bodyOf({ payload, request }: AcceptedEvent): WebhookBody {
  const kept = JSON.parse(request ?? '{}') as Partial<Record<'headers' | 'query', Record<string, string>>>;
  return {
    body: readJson(payload).value,
    text: payload,
    headers: new Map(Object.entries(kept.headers ?? {})),
    query: new Map(Object.entries(kept.query ?? {})),
  };
}

/** By the contract of today it says nothing; whoever kept it thought otherwise, so it stays for a person. */
function noEvent(detail: string): ReadItem {
  return { kind: 'unmatched', code: 'webhook.unmatched', reason: `${detail} It carries no event.` };
}

function notReplayable(detail: string): SyncError {
  return new SyncError('dead_letter.not_replayable', detail);
}
