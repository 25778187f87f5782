import type { EventType } from '../contract/contract.js';

/** The state that an event moves its entity to; undefined where its event type moves nothing. */
export function targetState({ transition }: EventType, named: string | undefined): string | undefined {
  return transition?.kind === 'to' ? transition.state : transition && named;
}
