import type { EventStanding, EventStatus } from './verdict.js';

/** What is known of an event beside its own row: its work, if some is left, and its end, if it has one. */
export interface StandingFacts {
  readonly work_status: string | null;
  readonly reject_reason: string | null;
  readonly outcome: string | null;
  readonly code: string | null;
  readonly internal_id: string | null;
}

export function eventStanding(facts: StandingFacts): EventStanding {
  return {
    status: eventStatus(facts),
    outcome: facts.outcome ?? undefined,
    code: facts.code ?? facts.reject_reason ?? undefined,
    internalId: facts.internal_id ?? undefined,
  };
}

/** Whether nothing more will happen to the event by itself; what failed is tried again, and what is parked goes on. */
export function isFinal({ status }: EventStanding): boolean {
  return status === 'COMPLETED' || status === 'DEAD';
}

function eventStatus(facts: StandingFacts): EventStatus {
  switch (facts.work_status) {
    case null:
      return 'COMPLETED';
    case 'processing':
      return 'PROCESSING';
    case 'waiting':
      return 'PARKED';
    case 'dead':
      return 'DEAD';
    default:
      return facts.reject_reason === null ? 'RECEIVED' : 'FAILED';
  }
}
