import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';
import { EventsTable } from './events.table.js';
import { ProcessedKeysTable } from './processed-keys.table.js';
import { RecordsTable } from './records.table.js';

/** Tried on two cores: 10 and 20 are equally fast, 40 is no faster and multiplies the p99. */
const POOL_SIZE = 20;

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      useFactory: () => ({
        type: 'postgres' as const,
        url: process.env['DATABASE_URL'] ?? '',
        entities: [ProcessedKeysTable, RecordsTable, EventsTable],
        synchronize: true,
        poolSize: POOL_SIZE,
      }),
    }),
  ],
  controllers: [EventsController],
  providers: [EventsService],
})
export class AppModule {}
