import { Queue } from 'bullmq';

/**
 * A queue whose connection troubles are nobody's news: `Alarms` reports what could not be set, and the workers what
 * they cannot reach. Without a listener from the first moment BullMQ would print every one of them past the log.
 */
export class AlarmQueue extends Queue {
  constructor(...settings: ConstructorParameters<typeof Queue>) {
    super(...settings);
    this.on('error', () => undefined);
  }
}
