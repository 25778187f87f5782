import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Log } from '../logging/logger.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseClock } from './database-clock.js';
import { Database } from './database.js';
import { Doorbell } from './doorbell.js';
import { PartitionKeeper } from './partition-keeper.js';

export interface DatabaseSettings {
  readonly url: string;
  readonly leaseMs: number;
  readonly hasWorkers: boolean;
}

/** PostgreSQL: the pool, its clock, the bell for new work, and the partitions of the days to come. */
@Module({})
export class DatabaseModule {
  static for({ url, leaseMs, hasWorkers }: DatabaseSettings): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...dataSourceOptions({ url, leaseMs }), retryAttempts: 0, manualInitialization: false }),
        }),
      ],
      providers: [
        Database,
        {
          provide: DatabaseClock,
          inject: [Database],
          useFactory: async (database: Database) => {
            const clock = new DatabaseClock(database);
            await clock.synchronize();
            return clock;
          },
        },
        {
          provide: Doorbell,
          inject: [Database, Log],
          useFactory: (database: Database, log: Log) =>
            new Doorbell(database, { databaseUrl: url, listens: hasWorkers }, log),
        },
        PartitionKeeper,
      ],
      exports: [Database, DatabaseClock, Doorbell],
    };
  }
}
