import { Module, type DynamicModule } from '@nestjs/common';
import type { AccessKey, Contract } from './domain/contract/contract.js';
import { targetsOf } from './domain/contract/targets-of.js';
import { ConflictsModule } from './flow/conflicts/conflicts.module.js';
import { DeliveryModule } from './flow/delivery/delivery.module.js';
import { DeliveryWorkersModule } from './flow/delivery/delivery-workers.module.js';
import { EntitiesModule } from './flow/entities/entities.module.js';
import { IdMapModule } from './flow/id-map/id-map.module.js';
import { InboxModule } from './flow/inbox/inbox.module.js';
import { IngestModule } from './flow/ingest/ingest.module.js';
import { ParkingModule } from './flow/parking/parking.module.js';
import { ProcessEventModule } from './flow/process-event/process-event.module.js';
import { TraceModule } from './flow/trace/trace.module.js';
import { WorkModule } from './flow/work/work.module.js';
import { AdminModule } from './operations/admin/admin.module.js';
import { AuditLookUpModule } from './operations/audit/audit-look-up.module.js';
import { ContractsModule } from './operations/contracts/contracts.module.js';
import { DeadLettersModule } from './operations/dead-letters/dead-letters.module.js';
import { ReplaysModule } from './operations/dead-letters/replays.module.js';
import { DocsModule } from './operations/docs/docs.module.js';
import { HealthModule } from './operations/health/health.module.js';
import { ExplainModule } from './operations/explain/explain.module.js';
import { LookUpModule } from './operations/look-up/look-up.module.js';
import { MappingsModule } from './operations/mappings/mappings.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { ProcessRole } from './platform/config/environment.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { HttpModule } from './platform/http/http.module.js';
import type { Log } from './platform/logging/logger.js';
import { QueuesModule } from './platform/queues/queues.module.js';
import { RedisModule } from './platform/redis/redis.module.js';

export interface AppSettings {
  readonly contract: Contract;
  /** The number that the contract is kept under. */
  readonly contractNumber: number;
  readonly log: Log;
  readonly role: ProcessRole;
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  readonly queuePrefix: string;
  /** A request that is not complete by then is cut off. */
  readonly requestTimeoutMs: number;
  /** Access keys beside those of the contract. */
  readonly accessKeys: readonly AccessKey[];
}

/** The contents page: first what everything stands on, then the journey of an event, then what people use. */
@Module({})
export class AppModule {
  static for(settings: AppSettings): DynamicModule {
    const { contract, log, role, databaseUrl, redisUrl, queuePrefix, accessKeys } = settings;
    const targets = targetsOf(contract);
    const hasWorkers = role !== 'api';
    const hasApi = role !== 'worker';
    return {
      module: AppModule,
      imports: [
        ConfigModule.for(settings, log),
        DatabaseModule.for({ url: databaseUrl, leaseMs: contract.settings.leaseMs, hasWorkers }),
        QueuesModule.for({ databaseUrl, redisUrl, prefix: queuePrefix, targets }),
        // Workers receive nothing, and so have no copies to recognise.
        ...(hasApi && redisUrl !== undefined ? [RedisModule.for({ url: redisUrl, prefix: queuePrefix })] : []),
        HttpModule.for(accessKeys),

        ...(hasApi ? [IngestModule] : []),
        InboxModule,
        WorkModule,
        ParkingModule,
        IdMapModule,
        ConflictsModule,
        EntitiesModule,
        TraceModule,
        DeliveryModule,
        ...(hasWorkers ? [ProcessEventModule, DeliveryWorkersModule.for(targets)] : []),

        ...(hasApi ? [LookUpModule, ExplainModule, MappingsModule, AdminModule, ContractsModule, DocsModule] : []),
        ReplaysModule,
        ...(hasApi ? [DeadLettersModule, AuditLookUpModule] : []),
        HealthModule,
      ],
    };
  }
}
