import { Injectable } from '@nestjs/common';
import type { ReceivedEvent, UnmatchedWebhook } from '../../domain/event.js';
import { Log } from '../../platform/logging/logger.js';
import { InboxService } from '../inbox/inbox.service.js';
import type { Verdict } from '../inbox/verdict.js';

/** The last step of the door: hands what was understood to the inbox and writes the stage's line. */
@Injectable()
export class Receive {
  constructor(
    private readonly inbox: InboxService,
    private readonly log: Log,
  ) {}

  async event(event: ReceivedEvent): Promise<Verdict> {
    const verdict = await this.inbox.remember(event);
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

  async unmatched(webhook: UnmatchedWebhook): Promise<string> {
    const eventId = await this.inbox.keepUnmatched(webhook);
    const { source, code, reason, correlationId } = webhook;
    this.log.trouble('webhook.unmatched', { eventId, source, code, correlationId, detail: reason });
    return eventId;
  }
}
