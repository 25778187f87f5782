import { Module } from '@nestjs/common';
import { WaitingService } from './waiting.service.js';
import { WorkService } from './work.service.js';

@Module({ providers: [WaitingService, WorkService], exports: [WaitingService, WorkService] })
export class WorkModule {}
