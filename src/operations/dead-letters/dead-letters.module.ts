import { Module } from '@nestjs/common';
import { InboxModule } from '../../flow/inbox/inbox.module.js';
import { TraceModule } from '../../flow/trace/trace.module.js';
import { WorkModule } from '../../flow/work/work.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { DeadLettersController } from './dead-letters.controller.js';
import { DiscardLetter } from './discard-letter.js';
import { EditLetter } from './edit-letter.js';
import { LetterRepairsController } from './letter-repairs.controller.js';
import { ReplaysController } from './replays.controller.js';
import { ReplaysModule } from './replays.module.js';

/** What was given up, for people: looking, replaying, editing, discarding. */
@Module({
  imports: [AuditModule, InboxModule, ReplaysModule, TraceModule, WorkModule],
  controllers: [ReplaysController, DeadLettersController, LetterRepairsController],
  providers: [EditLetter, DiscardLetter],
})
export class DeadLettersModule {}
