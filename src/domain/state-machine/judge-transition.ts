import type { EventId } from '../ids.js';
import { currentState, insertStep, latePlace, replaceStep, type Path } from './path.js';
import { hasEdge, predecessorsOf, reaches, type StateGraph } from './state-graph.js';

/** What an event asks for. Both states are states of the graph. */
export interface Transition {
  readonly target: string;
  /** The state that its sender believed the entity to be in. */
  readonly expected: string | undefined;
  /** A cyclic graph needs it. */
  readonly order: bigint | undefined;
  readonly eventId: EventId;
}

export type Judgement =
  | { readonly kind: 'move'; readonly path: Path }
  /** The entity is there already; a cyclic graph remembers in the path that it was so at this order value. */
  | { readonly kind: 'confirmed'; readonly path: Path }
  /** The event comes late. The path is a new one where the step found its place in it or took one over, else the same. */
  | { readonly kind: 'passed'; readonly path: Path }
  /** Too early: once the entity has come to one of these states, the event is to be judged again. */
  | { readonly kind: 'wait'; readonly states: readonly string[] }
  /** Nothing that may still come would let it go on. `reason` is a sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Whether an event may move an entity along its graph. Whatever the order in which the events of one walk come, and
 * judged again after each change of the path while they wait, they end in that walk: always where they have order
 * values, and without them where each says which state it expects, or where the graph is a chain.
 *
 * An event whose order value is lower than the newest of the path is late: it moves nothing, but takes its place among
 * the steps where the graph allows it there. Equal order values are not late; then the graph decides. Where no state
 * comes twice, the lowest of the order values that name a state stands in the path, with its event.
 */
export function judgeTransition(graph: StateGraph, path: Path, transition: Transition): Judgement {
  const place = latePlace(path, transition.order);
  if (place !== undefined) return judgeLate(graph, path, transition, place);
  const { expected } = transition;
  return expected === undefined
    ? judgeByGraph(graph, path, transition)
    : judgeExpecting(graph, path, transition, expected);
}

function judgeLate(graph: StateGraph, path: Path, transition: Transition, place: number): Judgement {
  const before = path[place - 1]?.state ?? graph.initial;
  const after = path[place]?.state ?? currentState(path);
  const { target, expected, order, eventId } = transition;
  if (comesFrom(graph, before, transition) && isOrReaches(graph, target, after)) {
    if (graph.isCyclic || (target !== before && target !== after)) {
      return { kind: 'passed', path: withStep(path, transition, place) };
    }
    // The entity came to `after` earlier than the path knew, and so it would stand there had this event come first.
    const isEarlier = target === after;
    return { kind: 'passed', path: isEarlier ? replaceStep(path, { state: target, order, eventId }, place) : path };
  }
  if (wasIn(path, target) || wasIn(path, expected)) return { kind: 'passed', path };
  return refused(`${target} does not lie on a way from ${before} to ${after}, between which it would belong`);
}

/** Whether steps lead from a state of the past to what the event asks for, through the state that it expects. */
function comesFrom(graph: StateGraph, before: string, { target, expected }: Transition): boolean {
  if (expected === undefined) return isOrReaches(graph, before, target);
  return hasEdge(graph, expected, target) && isOrReaches(graph, before, expected);
}

function judgeExpecting(graph: StateGraph, path: Path, transition: Transition, expected: string): Judgement {
  const current = currentState(path);
  const { target } = transition;
  if (!hasEdge(graph, expected, target)) return refused(`no step leads from ${expected} to ${target}`);
  if (expected === current) return { kind: 'move', path: withStep(path, transition) };
  if (!graph.isCyclic && wasIn(path, expected)) return { kind: 'passed', path };
  if (reaches(graph, current, expected)) return { kind: 'wait', states: [expected] };
  if (wasIn(path, expected)) return { kind: 'passed', path };
  return refused(`no way leads from ${current} to ${expected}`);
}

function judgeByGraph(graph: StateGraph, path: Path, transition: Transition): Judgement {
  const current = currentState(path);
  const { target } = transition;
  if (hasEdge(graph, current, target)) return { kind: 'move', path: withStep(path, transition) };
  if (target === current) {
    return { kind: 'confirmed', path: graph.isCyclic ? withStep(path, transition) : path };
  }
  if (!graph.isCyclic && wasIn(path, target)) return { kind: 'passed', path };
  if (reaches(graph, current, target)) {
    return { kind: 'wait', states: predecessorsOf(graph, target).filter((state) => reaches(graph, current, state)) };
  }
  if (wasIn(path, target)) return { kind: 'passed', path };
  return refused(`no way leads from ${current} to ${target}`);
}

function withStep(path: Path, { target, order, eventId }: Transition, place = path.length): Path {
  return insertStep(path, { state: target, order, eventId }, place);
}

function wasIn(path: Path, state: string | undefined): boolean {
  return path.some((step) => step.state === state);
}

function isOrReaches(graph: StateGraph, from: string, to: string): boolean {
  return from === to || reaches(graph, from, to);
}

function refused(reason: string): Judgement {
  return { kind: 'refused', reason };
}
