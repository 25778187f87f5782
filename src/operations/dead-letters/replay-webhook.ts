import { Inject, Injectable } from '@nestjs/common';
import type { Contract, System } from '../../domain/contract/contract.js';
import type { WebhookBody } from '../../domain/contract/message.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import { readWebhook, type ReadItem } from '../../domain/envelope/read-webhook.js';
import type { EventId } from '../../domain/ids.js';
import { readJson } from '../../domain/json/read-json.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import type { ForeseenVerdict } from '../../flow/inbox/verdict.js';
import { verdictAnswer, type VerdictAnswer } from '../../flow/ingest/verdict-answer.js';
import { TraceService } from '../../flow/trace/trace.service.js';
import type { DeadLetter } from '../../flow/work/dead-letter.js';
import { DeadLettersService } from '../../flow/work/dead-letters.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { AuditService } from '../audit/audit.service.js';

/** Of a long list only the first are named in the trace; each is found by its correlation id. */
const EVENTS_NAMED_MAX = 20;

export interface ReplayWish {
  readonly eventId: EventId;
  /** Why, in the words of whoever asks; kept in the trace. */
  readonly reason: string;
  readonly operator: string;
}

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
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly inbox: InboxService,
    private readonly letters: DeadLettersService,
    private readonly trace: TraceService,
    private readonly audit: AuditService,
    private readonly log: Log,
  ) {}

  /**
   * Remembers what can be read now; a part that was remembered before is its duplicate, so that a replay may be
   * repeated, also one that was broken off. The letter is closed when nothing in it is left unread.
   *
   * @throws SyncError `event.not_found`, `dead_letter.not_replayable` for anything but an unread webhook that is still
   *   a dead letter, or what the inbox throws
   */
  async replay(wish: ReplayWish): Promise<Replayed> {
    const held = await this.unreadWebhook(wish.eventId);
    const items = this.read(held.event);
    const results = await Promise.all(items.map((item) => this.remember(item)));
    const isRead = results.every(({ verdict }) => verdict !== 'unmatched');
    const status = isRead ? 'COMPLETED' : 'DEAD';
    await this.record(wish, held, { status, results });
    this.log.stage('webhook.replayed', {
      eventId: wish.eventId,
      source: held.event.source,
      status,
      operator: wish.operator,
    });
    return { event_id: wish.eventId, status, results };
  }

  /** What a replay would say now; nothing is remembered. */
  async foretell(eventId: EventId): Promise<Replayed> {
    const { event } = await this.unreadWebhook(eventId);
    const results = await Promise.all(this.read(event).map((item) => this.foresee(item)));
    const isRead = results.every(({ verdict }) => verdict !== 'unmatched');
    return { event_id: eventId, status: isRead ? 'COMPLETED' : 'DEAD', results, dry_run: true };
  }

  private async unreadWebhook(eventId: EventId): Promise<UnreadWebhook> {
    const [event] = await this.inbox.events([eventId]);
    if (event === undefined) throw new SyncError('event.not_found', `There is no event ${quoted(eventId)}.`);
    if (event.event_type !== null) {
      throw notReplayable('It is an event that was read; only webhooks that no rule could read are replayed.');
    }
    const letter = await this.letters.find(this.database, eventId);
    if (letter === undefined) throw notReplayable('It is no dead letter any more.');
    return { letter, event };
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

  private async remember(item: ReadItem): Promise<ReplayedItem> {
    if (item.kind === 'unmatched') return { verdict: 'unmatched', reason_code: item.code, detail: item.reason };
    try {
      return verdictAnswer(await this.inbox.remember(item.event), item.event.correlationId);
    } catch (error) {
      if (!(error instanceof SyncError) || error.code !== 'event.unstorable') throw error;
      return { verdict: 'unmatched', reason_code: error.code, detail: error.message };
    }
  }

  private async foresee(item: ReadItem): Promise<ReplayedItem> {
    if (item.kind === 'unmatched') return { verdict: 'unmatched', reason_code: item.code, detail: item.reason };
    const { kind: verdict, ...known } = await this.inbox.foresee(item.event);
    return 'eventId' in known ? { verdict, event_id: known.eventId } : { verdict };
  }

  private async record(
    { eventId, reason, operator }: ReplayWish,
    { letter, event }: UnreadWebhook,
    { status, results }: Pick<Replayed, 'status' | 'results'>,
  ): Promise<void> {
    const became = results.flatMap((result) => ('event_id' in result ? (result.event_id ?? []) : []));
    const after = { status, events: became.slice(0, EVENTS_NAMED_MAX) };
    const deed = { actor: operator, action: 'dead_letter.replay', subject: eventId, reason };
    await this.database.transaction(async (tx) => {
      // False: somebody else closed it, and told so.
      const isClosed = status === 'COMPLETED' && (await this.letters.end(tx, letter));
      await this.audit.record(tx, { ...deed, correlationId: event.correlation_id, before: { status: 'DEAD' }, after });
      if (!isClosed) return;
      const detail = `${operator}: ${reason} It became ${became.slice(0, EVENTS_NAMED_MAX).join(', ')}.`;
      await this.trace.write(tx, [{ eventId, node: 'operator', status: 'COMPLETED', outcome: 'replayed', detail }]);
    });
  }
}

interface UnreadWebhook {
  readonly letter: DeadLetter;
  readonly event: AcceptedEvent;
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
