import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown, type Type } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Log } from '../../platform/logging/logger.js';
import type { AlarmJob } from '../../platform/queues/alarms.js';
import { deliveryQueueName } from '../../platform/queues/queue-names.js';
import { Deliver } from './deliver.js';

/** Calls to one target that a process makes at once. */
const CONCURRENCY = 8;

/** Makes the worker of one target's queue; each alarm brings one (target, entity) up to date. */
export function deliveryWorkerOf(target: string): Type<WorkerHost> {
  @Injectable()
  @Processor(deliveryQueueName(target), { concurrency: CONCURRENCY })
  class DeliveryWorker extends WorkerHost implements BeforeApplicationShutdown {
    constructor(
      private readonly deliver: Deliver,
      private readonly log: Log,
    ) {
      super();
    }

    override async process(job: Job<AlarmJob>): Promise<void> {
      await this.deliver.deliver(job.data.key);
    }

    /** Before the database goes: what is in hand must still be recorded. */
    async beforeApplicationShutdown(): Promise<void> {
      await this.worker.close();
    }

    @OnWorkerEvent('error')
    onError(error: Error): void {
      this.log.troubleNowAndThen('A delivery queue is not reachable; the sweep takes over', { target }, error);
    }

    @OnWorkerEvent('failed')
    onFailed(job: Job<AlarmJob> | undefined, error: Error): void {
      this.log.trouble('A delivery was interrupted; the sweep tries again', { target, key: job?.data.key }, error);
    }
  }
  return DeliveryWorker;
}
