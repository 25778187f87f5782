import type { EventId } from '../ids.js';
import { hasEdge, type StateGraph } from './state-graph.js';

/**
 * Where an entity has been, in the order of the order values: the initial state first, the current one last. In a cyclic
 * graph a step that repeats the state before it is a **confirmation**: an event that found the entity there already. It
 * is kept because an event between the two, if it still comes, makes two visits of the one. Steps may be missing
 * between two others for as long as their events have not come.
 */
export type Path = readonly [PathStep, ...PathStep[]];

export interface PathStep {
  readonly state: string;
  /** Undefined: the initial state, which no event brought about. */
  readonly eventId: EventId | undefined;
  /** Of that event, where it had one. */
  readonly order: bigint | undefined;
}

/**
 * As many steps of a cyclic graph are remembered beside the initial state, the newest: an entity that goes to and fro
 * for years must not make each of its events slower. What is older than all of them is as if it had been passed.
 */
export const STEPS_MAX = 200;

/** The path of an entity that no event has moved. */
export function startPath({ initial }: StateGraph): Path {
  return [{ state: initial, eventId: undefined, order: undefined }];
}

export function currentState(path: Path): string {
  return (path.at(-1) ?? path[0]).state;
}

/** Where in the path an event with this order value belongs; undefined: behind everything, it is not late. */
export function latePlace(path: Path, order: bigint | undefined): number | undefined {
  if (order === undefined) return undefined;
  const place = path.findIndex((step) => step.order !== undefined && step.order > order);
  return place === -1 ? undefined : place;
}

/** @param place before which step; behind the initial one at the earliest */
export function insertStep(path: Path, step: PathStep, place: number): Path {
  const [first, ...later] = path;
  return [first, ...later.toSpliced(place - 1, 0, step).slice(-STEPS_MAX)];
}

/** @param place of the step that it takes over; the initial one is nobody's to take over */
export function replaceStep([first, ...later]: Path, step: PathStep, place: number): Path {
  return [first, ...later.with(place - 1, step)];
}

/** The path without its confirmations. */
export function movesOf(graph: StateGraph, path: Path): readonly PathStep[] {
  return path.filter((step, at) => {
    const before = path[at - 1];
    return before?.state !== step.state || hasEdge(graph, step.state, step.state);
  });
}

interface StoredStep {
  readonly state: string;
  readonly event_id?: EventId;
  /** A number as text: it may have more digits than a double. */
  readonly order?: string;
}

/** JSON, as it is kept with the entity. */
export function writePath(path: Path): string {
  return JSON.stringify(
    path.map(({ state, eventId, order }): StoredStep => ({
      state,
      ...(eventId !== undefined && { event_id: eventId }),
      ...(order !== undefined && { order: String(order) }),
    })),
  );
}

/** @throws Error when the text is no path, which only a bug can cause */
export function readPath(text: string): Path {
  const stored = JSON.parse(text) as readonly StoredStep[];
  const [first, ...later] = stored.map((step): PathStep => ({
    state: step.state,
    eventId: step.event_id,
    order: step.order === undefined ? undefined : BigInt(step.order),
  }));
  if (first === undefined) throw new Error('A stored path has no step.');
  return [first, ...later];
}
