import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { Log } from '../../platform/logging/logger.js';
import { EVENT_RETRIES_QUEUE } from '../../platform/queues/queue-names.js';
import { EventLanes } from './event-lanes.js';

/** The alarm of an event that failed: it is due again. */
@Processor(EVENT_RETRIES_QUEUE)
export class EventRetryWorker extends WorkerHost implements BeforeApplicationShutdown {
  constructor(
    private readonly lanes: EventLanes,
    private readonly log: Log,
  ) {
    super();
  }

  override process(): Promise<void> {
    this.lanes.wake();
    return Promise.resolve();
  }

  /** Before the database goes: what is in hand must still be recorded. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.worker.close();
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.log.troubleNowAndThen('The queue of event retries is not reachable; the sweep takes over', {}, error);
  }
}
