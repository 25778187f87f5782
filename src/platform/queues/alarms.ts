import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { alarmJobId } from '../../domain/business-key.js';
import { Log } from '../logging/logger.js';
import { deliveryQueueName, EVENT_RETRIES_QUEUE } from './queue-names.js';

/** When which work is due. The work itself is a row in PostgreSQL; a lost alarm costs time and nothing else. */
export interface Alarm {
  /** Whose queue; absent: the queue of events that are to be tried again. */
  readonly target?: string;
  readonly workKey: string;
  /** Grows with every waking of one piece of work. */
  readonly wake: bigint;
  readonly delayMs: number;
}

/** What a job carries: keys, no data. */
export interface AlarmJob {
  readonly key: string;
}

const ADD_TIMEOUT_MS = 2_000;
/** More adds than this do not wait for a backend that is away. */
const OUTSTANDING_MAX = 50;

/** BullMQ as the alarm clock: jobs that wake a worker when its work is due. */
@Injectable()
export class Alarms {
  /** Adds per queue that have not come back. */
  private readonly outstanding = new Map<string, number>();
  private isReached = true;

  constructor(
    private readonly modules: ModuleRef,
    private readonly log: Log,
  ) {}

  /** Sets alarms after a commit, in bulk. Never fails: the sweep takes what has no alarm. */
  async set(alarms: readonly Alarm[]): Promise<void> {
    const byQueue = new Map<string, Alarm[]>();
    for (const alarm of alarms) {
      const name = alarm.target === undefined ? EVENT_RETRIES_QUEUE : deliveryQueueName(alarm.target);
      byQueue.set(name, [...(byQueue.get(name) ?? []), alarm]);
    }
    await Promise.all([...byQueue].map(([name, ofQueue]) => this.addBulk(name, ofQueue)));
  }

  /** Whether alarms reach the queues' backend, as far as the last one tells. */
  get isAvailable(): boolean {
    return this.isReached;
  }

  /** An add waits for as long as the backend is away; we do not, and memory must not fill with waiting adds. */
  private async addBulk(name: string, alarms: readonly Alarm[]): Promise<void> {
    if ((this.outstanding.get(name) ?? 0) >= OUTSTANDING_MAX) return;
    const queue = this.queueOf(name);
    this.countOutstanding(name, 1);
    const added = queue
      .addBulk(
        alarms.map(({ workKey, wake, delayMs }) => ({
          name: workKey,
          data: { key: workKey },
          opts: { jobId: alarmJobId(workKey, wake), delay: delayMs, removeOnComplete: true, removeOnFail: true },
        })),
      )
      .then(() => true)
      .catch((error: unknown) => {
        this.log.troubleNowAndThen('Alarms were not set; the sweep takes over', { queue: name }, error);
        return false;
      })
      .finally(() => this.countOutstanding(name, -1));
    const reached = Promise.race([added, timeout(ADD_TIMEOUT_MS)]).then((isReached) => (this.isReached = isReached));
    // A backend that did not answer the last time is not waited for again.
    if (this.isReached) await reached;
  }

  private queueOf(name: string): Queue<AlarmJob> {
    return this.modules.get<Queue<AlarmJob>>(getQueueToken(name), { strict: false });
  }

  private countOutstanding(name: string, change: number): void {
    this.outstanding.set(name, (this.outstanding.get(name) ?? 0) + change);
  }
}

function timeout(delayMs: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => {
      resolve(false);
    }, delayMs).unref();
  });
}
