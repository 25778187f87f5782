import { Module, type DynamicModule } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { Log } from '../logging/logger.js';
import { CONTRACT } from './contract-token.js';

/** The contract and the log, for everybody. Both are read before anything else starts. */
@Module({})
export class ConfigModule {
  static for(contract: Contract, log: Log): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: CONTRACT, useValue: contract },
        { provide: Log, useValue: log },
      ],
      exports: [CONTRACT, Log],
    };
  }
}
