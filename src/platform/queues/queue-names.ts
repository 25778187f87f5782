/** Events that failed and wait for their next attempt. */
export const EVENT_RETRIES_QUEUE = 'event-retries';

/** One queue per target, so that a slow one delays nobody else. */
export function deliveryQueueName(target: string): string {
  return `deliver-${target}`;
}
