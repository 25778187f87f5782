import type { TraceEntry } from '../trace/trace.service.js';
import { passportOf } from '../work/work.js';
import type { Effect, ParkedEvent } from './decide-event.js';

/**
 * The one row that stands for the whole way of an event from its receipt to its effect.
 *
 * @param contract the number of the contract that decided
 */
export function traceOf({ event, outcome, code, detail, entity }: Effect, contract: number): TraceEntry {
  return {
    eventId: event.eventId,
    node: 'worker',
    status: 'COMPLETED',
    outcome,
    code,
    detail,
    internalId: entity?.internalId,
    revision: entity?.revision,
    externalId: event.entity.externalId,
    attempt: event.claim.retryCount + 1,
    ...passportOf(event.claim),
    contract,
    hops: [
      { status: 'RECEIVED', at: event.receivedAt },
      { status: 'PROCESSING', at: event.claimedAt },
    ],
  };
}

/** One row for each thing that an event waits for. */
export function traceOfParked({ event, code, detail }: ParkedEvent, contract: number): TraceEntry {
  const { eventId, claim, claimedAt, entity } = event;
  return {
    eventId,
    node: 'worker',
    status: 'PARKED',
    code,
    detail,
    externalId: entity.externalId,
    attempt: claim.retryCount + 1,
    contract,
    hops: [{ status: 'PROCESSING', at: claimedAt }],
  };
}
