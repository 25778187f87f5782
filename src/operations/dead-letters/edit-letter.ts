import { Inject, Injectable } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import type { Reception } from '../../domain/envelope/complete-event.js';
import type { JsonChange } from '../../domain/json/diff-json.js';
import type { Json } from '../../domain/json/json.js';
import type { ReadJson } from '../../domain/json/read-json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { parseEventId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import type { ForeseenVerdict, FullVerdict } from '../../flow/inbox/verdict.js';
import { TraceService } from '../../flow/trace/trace.service.js';
import type { DeadLetter } from '../../flow/work/dead-letter.js';
import { DeadLettersService } from '../../flow/work/dead-letters.service.js';
import { CONTRACT } from '../../platform/config/contract-token.js';
import { DatabaseClock } from '../../platform/database/database-clock.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Doorbell } from '../../platform/database/doorbell.js';
import { RawJson, type Renderable } from '../../platform/http/render-json.js';
import { AuditService } from '../audit/audit.service.js';
import { checkTag, inOperatorsWords, type LetterWish } from './letter-wish.js';
import { readEdit, type Edit } from './read-edit.js';

type View = Readonly<Record<string, Renderable>>;

/**
 * Sends a dead event once more with other content. Events are never changed: the edited one is an event of its own,
 * under a key made of the old one, and the letter ends as `edited` in the same transaction.
 */
@Injectable()
export class EditLetter {
  constructor(
    @Inject(CONTRACT) private readonly contract: Contract,
    private readonly database: Database,
    private readonly clock: DatabaseClock,
    private readonly inbox: InboxService,
    private readonly letters: DeadLettersService,
    private readonly trace: TraceService,
    private readonly audit: AuditService,
    private readonly doorbell: Doorbell,
  ) {}

  /**
   * The same edit made twice is one event. Of two different edits of one letter the first counts.
   *
   * @throws SyncError `event.not_found`, `dead_letter.not_editable`, `dead_letter.changed`, or what the door throws
   */
  async edit(wish: LetterWish, edited: ReadJson): Promise<View> {
    const dead = await this.readEvent(wish.letterId);
    const edit = readEdit(dead, edited, this.receptionOf(dead));
    const letter = await this.letters.find(this.database, wish.letterId);
    if (letter !== undefined) checkTag(letter, wish.ifMatch);
    if (letter === undefined || wish.isDryRun) return this.foretell(dead, edit, letter);
    const verdict = await this.database.transaction((tx) => this.resubmit(tx, { dead, letter, edit, wish }));
    if (verdict === undefined) return this.foretell(dead, edit, undefined);
    this.doorbell.ring();
    return view(dead, edit, verdict);
  }

  private async resubmit(tx: Tx, { dead, letter, edit, wish }: Resubmission): Promise<FullVerdict | undefined> {
    if (!(await this.letters.end(tx, letter))) return undefined;
    const [verdict] = await this.inbox.rememberWithin(tx, [edit.event]);
    if (verdict === undefined) throw new Error('The edited event was not remembered.');
    if (verdict.kind === 'refused') throw verdict.error;
    if (verdict.kind === 'conflict') throw editedOtherwise(verdict.eventId);
    const detail = inOperatorsWords(wish);
    await this.trace.write(tx, [
      {
        eventId: dead.event_id,
        node: 'operator',
        status: 'COMPLETED',
        outcome: 'edited',
        detail: `${detail} It became ${verdict.eventId}.`,
      },
      { eventId: verdict.eventId, node: 'operator', status: 'EDITED', detail: `${detail} It was ${dead.event_id}.` },
    ]);
    await this.audit.record(tx, {
      actor: wish.operator,
      action: 'dead_letter.edit',
      subject: letter.key,
      reason: wish.reason,
      correlationId: dead.correlation_id,
      before: { event_id: dead.event_id, reason_code: letter.reject_reason },
      after: { event_id: verdict.eventId, changes: edit.changes.map(changeView) },
    });
    return verdict;
  }

  /** What the edit would be; where the letter is gone, what it was if this very edit closed it. */
  private async foretell(dead: AcceptedEvent, edit: Edit, letter: DeadLetter | undefined): Promise<View> {
    const verdict = await this.inbox.foresee(edit.event);
    if (verdict.kind === 'conflict') throw editedOtherwise(verdict.eventId);
    if (letter !== undefined) return { ...view(dead, edit, verdict), dry_run: true };
    if (verdict.kind === 'duplicate') return view(dead, edit, verdict);
    throw new SyncError('dead_letter.not_editable', 'It is no dead letter: it was replayed, closed, or never died.');
  }

  private async readEvent(letterId: string): Promise<AcceptedEvent> {
    const eventId = parseEventId(letterId);
    if (eventId === undefined) {
      throw new SyncError('dead_letter.not_editable', 'A delivery sends what the entity is; edit by an event.');
    }
    const [event] = await this.inbox.events([eventId]);
    if (event === undefined) throw new SyncError('event.not_found', `There is no event ${quoted(letterId)}.`);
    if (event.event_type !== null) return event;
    const detail = 'No rule read this webhook, so it has no envelope. Mend the contract and replay it.';
    throw new SyncError('dead_letter.not_editable', detail);
  }

  private receptionOf({ source: name, correlation_id, traceparent }: AcceptedEvent): Reception {
    const source = this.contract.systems.get(name);
    if (source === undefined) {
      throw new SyncError('dead_letter.not_editable', `The contract no longer has the system ${quoted(name)}.`);
    }
    return {
      contract: this.contract,
      source,
      correlationId: correlation_id,
      traceparent: traceparent ?? undefined,
      nowMicros: this.clock.nowMicros(),
    };
  }
}

interface Resubmission {
  readonly dead: AcceptedEvent;
  readonly letter: DeadLetter;
  readonly edit: Edit;
  readonly wish: LetterWish;
}

function view({ event_id }: AcceptedEvent, { event, changes }: Edit, verdict: ForeseenVerdict | FullVerdict): View {
  return {
    letter_id: event_id,
    outcome: 'edited',
    verdict: verdict.kind,
    event_id: 'eventId' in verdict ? verdict.eventId : undefined,
    idempotency_key: event.idempotencyKey,
    correlation_id: event.correlationId,
    changes: changes.map(changeView),
  };
}

function changeView({ at, before, after }: JsonChange): View {
  return { at, before: raw(before), after: raw(after) };
}

function raw(value: Json | undefined): RawJson | undefined {
  return value === undefined ? undefined : new RawJson(writeJson(value));
}

function editedOtherwise(eventId: string): SyncError {
  return new SyncError(
    'dead_letter.not_editable',
    `The key of its edit is taken by event ${eventId}, which says otherwise.`,
  );
}
