import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module.js';
import { EventsController } from './events.controller.js';
import { Receive } from './receive.js';
import { SourceGate } from './source-gate.js';
import { WebhooksController } from './webhooks.controller.js';

/** In: requests on raw bytes. Out: events that are remembered, and the answer that says so. Owns no table. */
@Module({
  imports: [InboxModule],
  controllers: [EventsController, WebhooksController],
  providers: [Receive, SourceGate],
})
export class IngestModule {}
