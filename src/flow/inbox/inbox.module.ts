import { Module } from '@nestjs/common';
import { DuplicateCounter } from './duplicate-counter.js';
import { FinalOutcomes } from './final-outcomes.js';
import { InboxService } from './inbox.service.js';

@Module({
  providers: [InboxService, DuplicateCounter, FinalOutcomes],
  exports: [InboxService, FinalOutcomes],
})
export class InboxModule {}
