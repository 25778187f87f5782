import { Module } from '@nestjs/common';
import { ConflictsModule } from '../../flow/conflicts/conflicts.module.js';
import { InboxModule } from '../../flow/inbox/inbox.module.js';
import { TraceModule } from '../../flow/trace/trace.module.js';
import { WorkModule } from '../../flow/work/work.module.js';
import { ConflictsController } from './conflicts.controller.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { ReplayWebhook } from './replay-webhook.js';

@Module({
  imports: [ConflictsModule, InboxModule, TraceModule, WorkModule],
  controllers: [ConflictsController, DeadLettersController],
  providers: [ReplayWebhook],
})
export class AdminModule {}
