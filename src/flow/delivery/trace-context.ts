import { hash, randomBytes } from 'node:crypto';
import { parseTraceparent } from '../../domain/traceparent.js';

/**
 * The `traceparent` of an outgoing call (W3C Trace Context): the trace of the event that caused it goes on; where the
 * event came without one, all calls of one process share a trace that its correlation id determines.
 */
export function outgoingTraceparent(incoming: string | null, correlationId: string): string {
  const ofProcess = { traceId: hash('sha256', correlationId).slice(0, 32), flags: '01' };
  const { traceId, flags } = parseTraceparent(incoming ?? undefined) ?? ofProcess;
  return `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`;
}
