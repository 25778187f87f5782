import { Module } from '@nestjs/common';
import { DeadLettersService } from './dead-letters.service.js';
import { WorkService } from './work.service.js';

@Module({ providers: [WorkService, DeadLettersService], exports: [WorkService, DeadLettersService] })
export class WorkModule {}
