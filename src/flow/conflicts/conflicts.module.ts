import { Module } from '@nestjs/common';
import { ConflictsService } from './conflicts.service.js';

@Module({ providers: [ConflictsService], exports: [ConflictsService] })
export class ConflictsModule {}
