import type { Server } from 'node:http';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { answerDirectly } from '../../platform/http/direct-route.js';
import { ProblemFilter } from '../../platform/http/problem.filter.js';
import { InboxModule } from '../inbox/inbox.module.js';
import { EVENT_BYTES_MAX, EventsController } from './events.controller.js';
import { OutcomeWaits } from './outcome-wait.js';
import { RateLimits } from './rate-limits.js';
import { ReceiveWebhook } from './receive-webhook.js';
import { Receive } from './receive.js';
import { SourceGate } from './source-gate.js';
import { WebhooksController } from './webhooks.controller.js';

/** In: requests on raw bytes. Out: events that are remembered, and the answer that says so. Owns no table. */
@Module({
  imports: [InboxModule],
  controllers: [EventsController, WebhooksController],
  providers: [Receive, ReceiveWebhook, SourceGate, RateLimits, OutcomeWaits],
})
export class IngestModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly module: ModuleRef,
    private readonly problems: ProblemFilter,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getHttpServer() as Server;
    const events = this.module.get(EventsController);
    const handle = events.one.bind(events);
    answerDirectly(server, { url: '/v1/events', bodyBytesMax: EVENT_BYTES_MAX, handle }, this.problems);
  }
}
