import { Module } from '@nestjs/common';
import { WorkService } from './work.service.js';

@Module({ providers: [WorkService], exports: [WorkService] })
export class WorkModule {}
