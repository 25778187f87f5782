import { Module } from '@nestjs/common';
import { InboxModule } from '../../flow/inbox/inbox.module.js';
import { HealthController } from './health.controller.js';

@Module({ imports: [InboxModule], controllers: [HealthController] })
export class HealthModule {}
