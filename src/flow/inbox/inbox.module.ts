import { Module } from '@nestjs/common';
import { DuplicateCounter } from './duplicate-counter.js';
import { InboxService } from './inbox.service.js';

@Module({ providers: [InboxService, DuplicateCounter], exports: [InboxService] })
export class InboxModule {}
