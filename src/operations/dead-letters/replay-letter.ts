import { Injectable } from '@nestjs/common';
import { parseEventId, parseInternalId } from '../../domain/ids.js';
import { quoted } from '../../domain/quoted.js';
import { SyncError } from '../../domain/sync-error.js';
import { deliveryWorkKey } from '../../domain/business-key.js';
import { DeadDeliveriesService } from '../../flow/delivery/dead-deliveries.service.js';
import { DeliveriesService } from '../../flow/delivery/deliveries.service.js';
import { InboxService } from '../../flow/inbox/inbox.service.js';
import { TraceService } from '../../flow/trace/trace.service.js';
import type { DeadLetter } from '../../flow/work/dead-letter.js';
import { DeadLettersService } from '../../flow/work/dead-letters.service.js';
import { Database, type Tx } from '../../platform/database/database.js';
import { Doorbell } from '../../platform/database/doorbell.js';
import { Log } from '../../platform/logging/logger.js';
import { Alarms, type Alarm } from '../../platform/queues/alarms.js';
import { AuditService } from '../audit/audit.service.js';
import { checkTag, inOperatorsWords, letterChanged, letterNotFound, type LetterWish } from './letter-wish.js';
import { deliveryInWords, EVENT_IN_WORDS } from './letter-view.js';
import {
  auditedLetter,
  isUnreadWebhook,
  type LetterInHand,
  LettersInHand,
  type UnreadWebhook,
} from './letters-in-hand.js';
import { ReplayWebhook, type Replayed } from './replay-webhook.js';

/** What became of the wish to replay an event or a delivery. */
export interface LetterReplayed {
  readonly letter_id: string;
  readonly kind: 'event' | 'delivery';
  /** `superseded`: newer work had taken the place of the letter, and nothing was done. */
  readonly outcome: 'replayed' | 'superseded';
  readonly detail: string;
  readonly dry_run?: true;
}

/**
 * Takes up one dead letter again. An event is processed under its own key, a delivery sends the newest state, and a
 * webhook that no rule read is read again. The attempts before stay in the trace; new ones are counted from one.
 */
@Injectable()
export class ReplayLetter {
  constructor(
    private readonly database: Database,
    private readonly inHand: LettersInHand,
    private readonly letters: DeadLettersService,
    private readonly deadDeliveries: DeadDeliveriesService,
    private readonly deliveries: DeliveriesService,
    private readonly inbox: InboxService,
    private readonly webhooks: ReplayWebhook,
    private readonly trace: TraceService,
    private readonly audit: AuditService,
    private readonly alarms: Alarms,
    private readonly doorbell: Doorbell,
    private readonly log: Log,
  ) {}

  /**
   * @throws SyncError `event.not_found`, `dead_letter.not_found`, `dead_letter.not_replayable` for an event that is no
   *   dead letter any more, `dead_letter.changed` also when it died anew at this moment, or what the inbox throws
   */
  async replay(wish: LetterWish): Promise<LetterReplayed | Replayed> {
    const held = await this.inHand.find(wish.letterId);
    if (held === undefined) return this.withoutLetter(wish);
    const { letter, event } = held;
    checkTag(letter, wish.ifMatch);
    if (isUnreadWebhook(held)) return this.replayWebhook(held, wish);
    const detail = letter.kind === 'delivery' ? deliveryInWords(letter.topic) : EVENT_IN_WORDS;
    const answer = { letter_id: letter.key, kind: letter.kind, outcome: 'replayed', detail } as const;
    if (wish.isDryRun) return { ...answer, dry_run: true };
    const alarm = await this.database.transaction((tx) => this.revive(tx, held, wish));
    if (alarm === undefined) return this.withoutLetter(wish);
    await this.wake([alarm]);
    this.log.stage('dead_letter.replayed', {
      letterId: letter.key,
      correlationId: event?.correlation_id,
      operator: wish.operator,
    });
    return answer;
  }

  /**
   * Makes the letter due, with its trace and its audit row.
   *
   * @returns what wakes a worker after the commit; undefined when the letter is no longer as it was seen
   */
  async revive(tx: Tx, held: LetterInHand, wish: LetterWish): Promise<Alarm | 'bell' | undefined> {
    const { letter, eventId, event } = held;
    const isDelivery = letter.kind === 'delivery';
    const alarm = isDelivery ? await this.deadDeliveries.revive(tx, letter) : await this.reviveEvent(tx, letter);
    if (alarm === undefined) return undefined;
    const detail = inOperatorsWords(wish);
    const node = isDelivery ? letter.topic : 'operator';
    const internalId = letter.internal_id ?? undefined;
    await this.trace.write(tx, [{ eventId, node, status: 'REPLAYED', detail, internalId }]);
    await this.audit.record(tx, {
      actor: wish.operator,
      action: 'dead_letter.replay',
      subject: letter.key,
      reason: wish.reason,
      correlationId: event?.correlation_id,
      before: auditedLetter(letter),
      after: { status: 'due' },
    });
    return alarm;
  }

  /** After the commit. */
  async wake(alarms: readonly (Alarm | 'bell')[]): Promise<void> {
    if (alarms.includes('bell')) this.doorbell.ring();
    await this.alarms.set(alarms.filter((alarm) => alarm !== 'bell'));
  }

  private async reviveEvent(tx: Tx, letter: DeadLetter): Promise<'bell' | undefined> {
    return (await this.letters.revive(tx, letter)) === undefined ? undefined : 'bell';
  }

  private async replayWebhook(held: UnreadWebhook, wish: LetterWish): Promise<LetterReplayed | Replayed> {
    if (wish.isDryRun) return this.webhooks.foretell(held);
    const replayed = await this.database.transaction((tx) => this.webhooks.replayWithin(tx, held, wish));
    if (replayed === undefined) return this.withoutLetter(wish);
    this.doorbell.ring();
    this.log.stage('webhook.replayed', {
      eventId: replayed.event_id,
      source: held.event.source,
      status: replayed.status,
      operator: wish.operator,
    });
    return replayed;
  }

  /** It was replayed or closed, newer work took its place, or it never was. */
  private async withoutLetter({ letterId, isDryRun }: LetterWish): Promise<LetterReplayed> {
    const eventId = parseEventId(letterId);
    if (eventId !== undefined) {
      const [event] = await this.inbox.events([eventId]);
      if (event === undefined) throw new SyncError('event.not_found', `There is no event ${quoted(letterId)}.`);
      throw new SyncError(
        'dead_letter.not_replayable',
        'It is no dead letter: it was replayed, closed, or never died.',
      );
    }
    const internalId = parseInternalId(letterId.slice(letterId.lastIndexOf(':') + 1));
    const known = internalId === undefined ? [] : await this.deliveries.ofEntities(this.database, [internalId]);
    const delivery = known.find(({ target, internal_id }) => deliveryWorkKey(target, internal_id) === letterId);
    if (delivery === undefined) throw letterNotFound(letterId);
    if (delivery.status === 'dead') throw letterChanged();
    const detail =
      'It is no dead letter any more: it was replayed, or a newer revision took its place. Nothing was done; ' +
      `the delivery is ${delivery.status}.`;
    return {
      letter_id: letterId,
      kind: 'delivery',
      outcome: 'superseded',
      detail,
      ...(isDryRun ? { dry_run: true } : {}),
    };
  }
}
