import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import type { AccessKey } from '../../domain/contract/contract.js';
import { AccessAudit } from './access-audit.js';
import { AccessGuard } from './access.guard.js';
import { Credentials, FURTHER_ACCESS_KEYS } from './credentials.js';
import { ProblemFilter } from './problem.filter.js';

/** What every route has in common: who may use it, and how it says no. */
@Module({})
export class HttpModule {
  static for(furtherAccessKeys: readonly AccessKey[]): DynamicModule {
    return {
      module: HttpModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: FURTHER_ACCESS_KEYS, useValue: furtherAccessKeys },
        Credentials,
        AccessAudit,
        { provide: APP_GUARD, useClass: AccessGuard },
        ProblemFilter,
        { provide: APP_FILTER, useExisting: ProblemFilter },
      ],
      exports: [Credentials, ProblemFilter],
    };
  }
}
