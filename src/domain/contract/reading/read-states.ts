import { stateGraph, type StateGraph } from '../../state-machine/state-graph.js';
import type { OrderBy } from '../contract.js';
import { didYouMean } from './nearest.js';
import type { Place } from './place.js';
import type { Reading } from './reading.js';

/** The key beside the states that names the first of them. */
const INITIAL = 'initial';

/** The states of an entity type; undefined where it has none, or none that make a graph, which is complained about. */
export function readStates(
  reading: Reading,
  place: Place | undefined,
  orderBy: OrderBy | undefined,
): StateGraph | undefined {
  const graph = graphAt(place);
  if (place === undefined || graph === undefined) return undefined;
  checkInitial(reading, place, graph);
  checkNextStates(reading, place);
  checkReachability(reading, place, graph);
  if (graph.isCyclic && orderBy === 'arrival') {
    const message =
      'a state that can be come back to needs `order_by: version` or `occurred_at`: else an early event cannot be told from a late one';
    reading.mistakes.atKey(place, message);
  }
  return graph;
}

/** The graph as far as it can be made out, without complaints; for readers of other sections. */
export function graphAt(states: Place | undefined): StateGraph | undefined {
  const initial = states?.at(INITIAL)?.text();
  if (states === undefined || initial === undefined) return undefined;
  const graph = new Map<string, readonly string[]>();
  for (const [state, next] of statesIn(states)) graph.set(state, textsOf(next));
  for (const state of [initial, ...[...graph.values()].flat()]) if (!graph.has(state)) graph.set(state, []);
  return stateGraph(initial, graph);
}

function checkInitial(reading: Reading, states: Place, { initial }: StateGraph): void {
  const place = states.at(INITIAL);
  if (place === undefined || states.has(initial)) return;
  const keys = statesIn(states).map(([state]) => state);
  reading.mistakes.atValue(place, `\`${initial}\` does not stand under \`states\`${didYouMean(initial, keys)}`);
}

/** A state that only follows others may be final and may be misspelt; `X: []` says that it is final. */
function checkNextStates(reading: Reading, states: Place): void {
  const keys = statesIn(states).map(([state]) => state);
  const warned = new Set<string>();
  for (const item of statesIn(states).flatMap(([, next]) => next.items())) {
    const state = item.text();
    if (state === undefined || keys.includes(state) || warned.has(state)) continue;
    warned.add(state);
    const message = `nothing follows \`${state}\`${didYouMean(state, keys)}; \`${state}: []\` says that it is final`;
    reading.mistakes.warn(item, message);
  }
}

function checkReachability(reading: Reading, states: Place, { initial, reachable }: StateGraph): void {
  if (!states.has(initial)) return;
  for (const [state, next] of statesIn(states)) {
    if (state === initial || reachable.get(initial)?.has(state)) continue;
    reading.mistakes.atKey(next, `no way leads from \`${initial}\` to \`${state}\``);
  }
}

function statesIn(states: Place): readonly (readonly [string, Place])[] {
  return states.entries().filter(([key]) => key !== INITIAL);
}

function textsOf(list: Place): readonly string[] {
  return list.items().flatMap((item) => item.text() ?? []);
}
