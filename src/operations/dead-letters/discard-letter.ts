import { Injectable } from '@nestjs/common';
import { TraceService } from '../../flow/trace/trace.service.js';
import { DeadLettersService } from '../../flow/work/dead-letters.service.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Log } from '../../platform/logging/logger.js';
import { AuditService } from '../audit/audit.service.js';
import { checkTag, inOperatorsWords, letterNotFound, type LetterWish } from './letter-wish.js';
import { auditedLetter, isUnreadWebhook, type LetterInHand, LettersInHand } from './letters-in-hand.js';

export interface LetterDiscarded {
  readonly letter_id: string;
  readonly kind: 'event' | 'delivery';
  readonly outcome: 'discarded';
  readonly detail: string;
  readonly dry_run?: true;
}

const EVENT_STAYS =
  'The event is kept and ends without effect. Its key stays taken: a copy of it is a duplicate that says `discarded`.';
const WEBHOOK_STAYS =
  'The webhook is kept and ends without effect. A copy of it is answered as unmatched with this event, and is no new letter.';
const DELIVERY_STAYS = 'stays behind until the next revision of the entity, which brings it up to date as a whole.';

/** Ends a dead letter without doing what it asked for. */
@Injectable()
export class DiscardLetter {
  constructor(
    private readonly database: Database,
    private readonly inHand: LettersInHand,
    private readonly letters: DeadLettersService,
    private readonly trace: TraceService,
    private readonly audit: AuditService,
    private readonly log: Log,
  ) {}

  /** @throws SyncError `dead_letter.not_found`, `dead_letter.changed` */
  async discard(wish: LetterWish): Promise<LetterDiscarded> {
    const held = await this.inHand.find(wish.letterId);
    if (held === undefined) throw letterNotFound(wish.letterId);
    const { letter } = held;
    checkTag(letter, wish.ifMatch);
    const detail = whatStays(held);
    const answer = { letter_id: letter.key, kind: letter.kind, outcome: 'discarded', detail } as const;
    if (wish.isDryRun) return { ...answer, dry_run: true };
    if (!(await this.database.transaction((tx) => this.end(tx, held, wish)))) throw letterNotFound(wish.letterId);
    this.log.stage('dead_letter.discarded', { letterId: letter.key, operator: wish.operator });
    return answer;
  }

  private async end(tx: Tx, { letter, eventId, event }: LetterInHand, wish: LetterWish): Promise<boolean> {
    if (!(await this.letters.end(tx, letter))) return false;
    const detail = inOperatorsWords(wish);
    // An event has one end, and what became of a delivery is none.
    const hop =
      letter.kind === 'event'
        ? { node: 'operator', status: 'COMPLETED' as const, outcome: 'discarded' }
        : { node: letter.topic, status: 'DISCARDED' as const, internalId: letter.internal_id ?? undefined };
    await this.trace.write(tx, [{ eventId, detail, ...hop }]);
    await this.audit.record(tx, {
      actor: wish.operator,
      action: 'dead_letter.discard',
      subject: letter.key,
      reason: wish.reason,
      correlationId: event?.correlation_id,
      before: auditedLetter(letter),
      after: { outcome: 'discarded' },
    });
    return true;
  }
}

function whatStays(held: LetterInHand): string {
  if (held.letter.kind === 'delivery') return `${held.letter.topic} ${DELIVERY_STAYS}`;
  return isUnreadWebhook(held) ? WEBHOOK_STAYS : EVENT_STAYS;
}
