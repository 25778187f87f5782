import { Module } from '@nestjs/common';
import { DuplicateCounter } from './duplicate-counter.js';
import { DuplicateGuard } from './duplicate-guard.js';
import { FinalOutcomes } from './final-outcomes.js';
import { InboxService } from './inbox.service.js';
import { SameFact } from './same-fact.js';

@Module({
  providers: [InboxService, SameFact, DuplicateCounter, DuplicateGuard, FinalOutcomes],
  exports: [InboxService, DuplicateGuard, FinalOutcomes],
})
export class InboxModule {}
