import { Module } from '@nestjs/common';
import { DeliveryModule } from '../../flow/delivery/delivery.module.js';
import { InboxModule } from '../../flow/inbox/inbox.module.js';
import { TraceModule } from '../../flow/trace/trace.module.js';
import { WorkModule } from '../../flow/work/work.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { LettersInHand } from './letters-in-hand.js';
import { ReplayLetter } from './replay-letter.js';
import { ReplayRunner } from './replay-runner.js';
import { ReplayWebhook } from './replay-webhook.js';
import { ReplaysService } from './replays.service.js';

/** Replays of dead letters, one by one or many at a pace. Owns `replays`; every process carries them out. */
@Module({
  imports: [AuditModule, DeliveryModule, InboxModule, TraceModule, WorkModule],
  providers: [LettersInHand, ReplayLetter, ReplayWebhook, ReplayRunner, ReplaysService],
  exports: [LettersInHand, ReplayLetter, ReplaysService],
})
export class ReplaysModule {}
