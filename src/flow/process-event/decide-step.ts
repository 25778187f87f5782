import type { EntityType } from '../../domain/contract/contract.js';
import { explainJudgement } from '../../domain/state-machine/explain-judgement.js';
import { judgeTransition, type Judgement } from '../../domain/state-machine/judge-transition.js';
import { startPath, type Path } from '../../domain/state-machine/path.js';
import { orderValueOf, type EventRules } from './event-to-decide.js';
import type { EventToProcess } from './event-to-process.js';

/** What an event means for the state of its entity, with the words for it. */
export type Step = Judgement & { readonly detail: string };

/**
 * Undefined where the event type moves no state. An entity without a path, or none at all, is in the initial state.
 *
 * @throws Error when the contract no longer says what the event's state means
 */
export function decideStep(event: EventToProcess, path: Path | undefined, rules: EventRules): Step | undefined {
  const { eventType, entityType } = rules;
  if (eventType.transition === undefined) return undefined;
  const graph = entityType.states;
  const target = eventType.transition.kind === 'to' ? eventType.transition.state : event.state;
  if (graph === undefined || target === undefined) {
    throw new Error(`The contract no longer says which state ${event.eventType} moves ${entityType.name} to.`);
  }
  const { expectedState: expected, eventId } = event;
  const held = path ?? startPath(graph);
  const transition = { target, expected, order: orderValueOf(event, entityType), eventId };
  const judgement = judgeTransition(graph, held, transition);
  return { ...judgement, detail: explainJudgement(entityType.name, held, transition, judgement) };
}

/** The path that an entity of the type begins with; undefined where the type has no states. */
export function firstPath({ states }: EntityType): Path | undefined {
  return states && startPath(states);
}
