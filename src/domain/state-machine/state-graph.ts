/** The states of an entity type and the steps between them, as its contract declares them. */
export interface StateGraph {
  /** The state of an entity that no transition has moved yet. */
  readonly initial: string;
  /** Every state → the states that one step leads to; a terminal state has none. */
  readonly states: ReadonlyMap<string, readonly string[]>;
  /** Every state → the states that one step or more lead to. */
  readonly reachable: ReadonlyMap<string, ReadonlySet<string>>;
  /** Some state can be come back to, so only order values tell an early event from a late one. */
  readonly isCyclic: boolean;
}

/** @param states every state that is named anywhere has an entry of its own */
export function stateGraph(initial: string, states: ReadonlyMap<string, readonly string[]>): StateGraph {
  const reachable = new Map([...states.keys()].map((state) => [state, reachableFrom(state, states)]));
  const isCyclic = [...reachable].some(([state, others]) => others.has(state));
  return { initial, states, reachable, isCyclic };
}

export function hasEdge(graph: StateGraph, from: string, to: string): boolean {
  return graph.states.get(from)?.includes(to) ?? false;
}

/** Whether one step or more lead there. A state reaches itself only in a circle. */
export function reaches(graph: StateGraph, from: string, to: string): boolean {
  return graph.reachable.get(from)?.has(to) ?? false;
}

/** The states from which one step leads to this one. */
export function predecessorsOf(graph: StateGraph, state: string): readonly string[] {
  return [...graph.states.keys()].filter((other) => hasEdge(graph, other, state));
}

function reachableFrom(state: string, states: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...(states.get(state) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(states.get(next) ?? []));
  }
  return found;
}
