import { Module } from '@nestjs/common';
import { Heartbeat } from './heartbeat.js';
import { WorkService } from './work.service.js';

@Module({ providers: [Heartbeat, WorkService], exports: [Heartbeat, WorkService] })
export class WorkModule {}
