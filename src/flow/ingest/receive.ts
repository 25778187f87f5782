import { Injectable } from '@nestjs/common';
import type { ReceivedEvent, UnmatchedWebhook } from '../../domain/event.js';
import { Log } from '../../platform/logging/logger.js';
import { InboxService } from '../inbox/inbox.service.js';
import type { Verdict } from '../inbox/verdict.js';
import type { OutcomeWait } from './outcome-wait.js';

/** The last step of the door: hands what was understood to the inbox and writes the stage's line. */
@Injectable()
export class Receive {
  constructor(
    private readonly inbox: InboxService,
    private readonly log: Log,
  ) {}

  /**
   * @param wait where the sender asked for the outcome: the verdict then tells where the event stands after it
   * @throws SyncError as `InboxService.remember`
   */
  async event(event: ReceivedEvent, wait?: OutcomeWait): Promise<Verdict> {
    if (wait === undefined) return this.told(event, await this.inbox.rememberQuickly(event));
    // Who waits for the outcome must hear it, and only the database knows it.
    return wait.settle(this.told(event, await this.inbox.remember(event)));
  }

  async unmatched(webhook: UnmatchedWebhook): Promise<string> {
    const eventId = await this.inbox.keepUnmatched(webhook);
    const { source, code, reason, correlationId } = webhook;
    this.log.trouble('webhook.unmatched', { eventId, source, code, correlationId, detail: reason });
    return eventId;
  }

  private told<Given extends Verdict>(event: ReceivedEvent, verdict: Given): Given {
    this.log.stage('event.received', {
      eventId: verdict.eventId,
      source: event.source,
      eventType: event.eventType,
      idempotencyKey: event.idempotencyKey,
      correlationId: event.correlationId,
      verdict: verdict.kind,
    });
    return verdict;
  }
}
