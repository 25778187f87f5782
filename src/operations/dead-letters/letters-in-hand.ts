import { Injectable } from '@nestjs/common';
import { DeadDeliveriesService } from '../../flow/delivery/dead-deliveries.service.js';
import type { AcceptedEvent } from '../../flow/inbox/accepted-event.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import type { DeadLetter } from '../../flow/work/dead-letter.js';
import { DeadLettersService } from '../../flow/work/dead-letters.service.js';
import { Database } from '../../platform/database/database.js';

/** A letter with the event that it is about: its own, or the one that asked for the delivery. */
export interface LetterInHand {
  readonly letter: DeadLetter;
  readonly eventId: string;
  readonly event: AcceptedEvent | undefined;
}

/** Looks letters up for those who act on them. */
@Injectable()
export class LettersInHand {
  constructor(
    private readonly database: Database,
    private readonly letters: DeadLettersService,
    private readonly deadDeliveries: DeadDeliveriesService,
    private readonly inbox: InboxService,
  ) {}

  /** Undefined: there is none, or none any more. */
  async find(letterId: string): Promise<LetterInHand | undefined> {
    const letter = await this.letters.find(this.database, letterId);
    if (letter === undefined) return undefined;
    const eventId = letter.event_id ?? (await this.deadDeliveries.find(this.database, letter))?.wanted_by;
    if (eventId === undefined) throw new Error(`Dead letter ${letterId} is about no event.`);
    const [event] = await this.inbox.events([eventId]);
    return { letter, eventId, event };
  }
}

/** The letter of a webhook that no rule could read. */
export type UnreadWebhook = LetterInHand & { readonly event: AcceptedEvent };

export function isUnreadWebhook(held: LetterInHand): held is UnreadWebhook {
  return held.letter.kind === 'event' && held.event?.event_type === null;
}

/** What the audit keeps of a letter as it was before somebody repaired it. */
export function auditedLetter({ reject_reason, retry_count, dead_at }: DeadLetter) {
  return { status: 'DEAD', reason_code: reject_reason, attempts: retry_count, dead_at };
}
