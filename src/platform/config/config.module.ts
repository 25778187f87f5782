import { Module, type DynamicModule } from '@nestjs/common';
import type { Contract } from '../../domain/contract/contract.js';
import { Log } from '../logging/logger.js';
import { CONTRACT, CONTRACT_NUMBER } from './contract-token.js';

export interface ServedContract {
  readonly contract: Contract;
  /** Under which it is kept in the database. */
  readonly contractNumber: number;
}

/** The contract, its number and the log, for everybody. All are there before anything else starts. */
@Module({})
export class ConfigModule {
  static for({ contract, contractNumber }: ServedContract, log: Log): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: CONTRACT, useValue: contract },
        { provide: CONTRACT_NUMBER, useValue: contractNumber },
        { provide: Log, useValue: log },
      ],
      exports: [CONTRACT, CONTRACT_NUMBER, Log],
    };
  }
}
