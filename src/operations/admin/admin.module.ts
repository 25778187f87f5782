import { Module } from '@nestjs/common';
import { ConflictsModule } from '../../flow/conflicts/conflicts.module.js';
import { ConflictsController } from './conflicts.controller.js';

@Module({ imports: [ConflictsModule], controllers: [ConflictsController] })
export class AdminModule {}
