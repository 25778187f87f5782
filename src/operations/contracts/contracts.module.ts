import { Module } from '@nestjs/common';
import { ContractsController } from './contracts.controller.js';
import { ContractsService } from './contracts.service.js';

/** Which contracts were active, for people. The one that is served became active before anything else started. */
@Module({ providers: [ContractsService], controllers: [ContractsController] })
export class ContractsModule {}
