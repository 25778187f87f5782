import { Module } from '@nestjs/common';
import { DeadLettersService } from './dead-letters.service.js';
import { Heartbeat } from './heartbeat.js';
import { WaitingService } from './waiting.service.js';
import { WorkService } from './work.service.js';

const SERVICES = [DeadLettersService, Heartbeat, WaitingService, WorkService];

@Module({ providers: SERVICES, exports: SERVICES })
export class WorkModule {}
