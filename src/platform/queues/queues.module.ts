import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { createPostgresBackend, setDefaultBackendFactory } from 'bullmq';
import { Alarms } from './alarms.js';
import { AlarmQueue } from './alarm-queue.js';
import { deliveryQueueName, EVENT_RETRIES_QUEUE } from './queue-names.js';
import { ReconnectPolicy } from './reconnect-policy.js';

export interface QueueSettings {
  readonly databaseUrl: string;
  /** Absent: the queues live in PostgreSQL. */
  readonly redisUrl: string | undefined;
  /** Keeps several installations apart in one Redis. */
  readonly prefix: string;
  readonly targets: readonly string[];
}

/** Connections of one queue or worker to PostgreSQL, beside the one that listens. */
const POSTGRES_POOL_SIZE = 2;

/** BullMQ on the backend that is configured, with one queue per target and one for events that are tried again. */
@Module({})
export class QueuesModule {
  static for(settings: QueueSettings): DynamicModule {
    const { redisUrl, databaseUrl, prefix, targets } = settings;
    const names = [EVENT_RETRIES_QUEUE, ...targets.map(deliveryQueueName)];
    if (redisUrl === undefined) setDefaultBackendFactory(createPostgresBackend);
    const reconnect = new ReconnectPolicy();
    BullModule.queueClass = AlarmQueue;
    const connection =
      redisUrl === undefined
        ? { connectionString: databaseUrl, max: POSTGRES_POOL_SIZE }
        : { url: redisUrl, maxRetriesPerRequest: null, retryStrategy: reconnect.delayMs };
    const queues = BullModule.registerQueue(...names.map((name) => ({ name })));
    return {
      module: QueuesModule,
      global: true,
      imports: [BullModule.forRoot({ connection, ...(redisUrl === undefined ? {} : { prefix }) }), queues],
      providers: [{ provide: ReconnectPolicy, useValue: reconnect }, Alarms],
      exports: [Alarms, queues],
    };
  }
}
