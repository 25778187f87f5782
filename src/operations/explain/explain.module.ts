import { Module } from '@nestjs/common';
import { InboxModule } from '../../flow/inbox/inbox.module.js';
import { ExplainController } from './explain.controller.js';
import { ExplainService } from './explain.service.js';

@Module({ imports: [InboxModule], controllers: [ExplainController], providers: [ExplainService] })
export class ExplainModule {}
