import type { EntityType, EventType } from '../contract/contract.js';
import { quoted } from '../quoted.js';
import type { StateGraph } from '../state-machine/state-graph.js';
import { SyncError } from '../sync-error.js';
import type { PartPlaces } from './part-places.js';

/** What an event says about the states of its entity. */
export interface TransitionParts {
  /** Where it moves its entity to, for an event type that leaves this to each event. */
  readonly state?: string | undefined;
  /** Where its sender believes the entity to be. */
  readonly expectedState?: string | undefined;
}

/**
 * Holds what an event says about states against the contract.
 *
 * @throws SyncError `envelope.invalid` where a state is missing, or named although nothing would act on it;
 *   `state.unknown` where the entity type has none of that name
 */
export function completeTransition(
  parts: TransitionParts,
  { eventType, entityType }: { readonly eventType: EventType; readonly entityType: EntityType },
  places: PartPlaces,
): TransitionParts {
  const { state, expectedState } = parts;
  const { transition, name } = eventType;
  const graph = entityType.states;
  if (transition === undefined || graph === undefined) {
    const at = state === undefined ? places.expectedState : places.state;
    if (state === undefined && expectedState === undefined) return {};
    throw new SyncError(
      'envelope.invalid',
      `\`${name}\` moves no entity, so that its events say nothing about states.`,
      {
        at,
      },
    );
  }
  if (transition.kind === 'to' && state !== undefined) {
    const detail = `\`${name}\` moves to \`${transition.state}\`, whatever its events say; leave \`${nameAt(places.state)}\` out.`;
    throw new SyncError('envelope.invalid', detail, { at: places.state });
  }
  if (transition.kind === 'named' && state === undefined) {
    const detail = `\`${nameAt(places.state)}\` is missing: events of \`${name}\` name the state that they move to.`;
    throw new SyncError('envelope.invalid', detail, { at: places.state });
  }
  requireState(state, entityType.name, graph, places.state);
  requireState(expectedState, entityType.name, graph, places.expectedState);
  return parts;
}

function requireState(state: string | undefined, entityType: string, { states }: StateGraph, at: string): void {
  if (state === undefined || states.has(state)) return;
  throw new SyncError('state.unknown', `The contract has no state ${quoted(state)} of \`${entityType}\`.`, { at });
}

function nameAt(place: string): string {
  return place.slice(1);
}
