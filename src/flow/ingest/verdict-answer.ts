import type { PartPlaces } from '../../domain/envelope/part-places.js';
import { problemOf, type Problem } from '../../platform/http/problem.js';
import type { Verdict } from '../inbox/verdict.js';

/** What the sender is told about one event that was stored. */
export interface VerdictAnswer {
  readonly event_id: string;
  readonly verdict: 'accepted' | 'duplicate' | 'conflict';
  readonly correlation_id: string;
  readonly status?: string;
  readonly outcome?: string;
  readonly reason_code?: string;
  /** Of the entity that the event is about, as soon as it is resolved. */
  readonly internal_id?: string;
  /** The event under which the second content is kept. */
  readonly conflict_event_id?: string;
}

/**
 * For a duplicate: the event id, the status and the outcome of the first copy; a copy that was recognised without the
 * database is told the event id alone. Who waited is told the same of a first.
 */
export function verdictAnswer(verdict: Verdict, correlationId: string): VerdictAnswer {
  switch (verdict.kind) {
    case 'conflict':
      return {
        event_id: verdict.eventId,
        verdict: 'conflict',
        correlation_id: correlationId,
        reason_code: 'key.conflict',
        conflict_event_id: verdict.conflictEventId,
      };
    case 'accepted':
    case 'duplicate': {
      const { status, outcome, code, internalId } = verdict.standing ?? {};
      return {
        event_id: verdict.eventId,
        verdict: verdict.kind,
        correlation_id: correlationId,
        ...(status === undefined ? {} : { status }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(code === undefined ? {} : { reason_code: code }),
        ...(internalId === undefined ? {} : { internal_id: internalId }),
      };
    }
  }
}

/** The problem document for a key that was used for other content, with the ids of both events. */
export function conflictProblem(
  verdict: Extract<Verdict, { kind: 'conflict' }>,
  correlationId: string,
  { idempotencyKey: at }: PartPlaces,
): ConflictProblem {
  const detail = `The first content is kept as event ${verdict.eventId}; this one is set aside for a person to decide.`;
  return {
    ...problemOf('key.conflict', detail, at),
    verdict: 'conflict',
    event_id: verdict.eventId,
    conflict_event_id: verdict.conflictEventId,
    correlation_id: correlationId,
  };
}

export type ConflictProblem = Problem &
  Pick<VerdictAnswer, 'verdict' | 'event_id' | 'conflict_event_id' | 'correlation_id'>;
