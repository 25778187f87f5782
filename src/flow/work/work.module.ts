import { Module } from '@nestjs/common';
import { Heartbeat } from './heartbeat.js';
import { WaitingService } from './waiting.service.js';
import { WorkService } from './work.service.js';

@Module({ providers: [Heartbeat, WaitingService, WorkService], exports: [Heartbeat, WaitingService, WorkService] })
export class WorkModule {}
