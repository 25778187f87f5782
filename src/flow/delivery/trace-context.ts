import { createHash, randomBytes } from 'node:crypto';

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;
const ZERO_TRACE = '0'.repeat(32);

/**
 * The `traceparent` of an outgoing call (W3C Trace Context): the trace of the event that caused it goes on; where the
 * event came without one, all calls of one process share a trace that its correlation id determines.
 */
export function outgoingTraceparent(incoming: string | null, correlationId: string): string {
  const [, traceId = ZERO_TRACE, flags = '01'] = TRACEPARENT.exec(incoming ?? '') ?? [];
  const ofProcess = createHash('sha256').update(correlationId).digest('hex').slice(0, 32);
  return `00-${traceId === ZERO_TRACE ? ofProcess : traceId}-${randomBytes(8).toString('hex')}-${flags}`;
}
