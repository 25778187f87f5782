import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newEventId } from '../ids.js';
import { judgeTransition, type Transition } from './judge-transition.js';
import { movesOf, startPath, type Path } from './path.js';
import { hasEdge, reaches, stateGraph, type StateGraph } from './state-graph.js';
import { draws } from '../../../test/support/draws.js';

const NAMES = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];

/** Each state but the first can be come to from an earlier one; `back` adds steps that may make circles. */
function graphOf(parents: readonly number[], forward: readonly Pair[], back: readonly Pair[]): StateGraph {
  const names = NAMES.slice(0, parents.length + 1);
  const next = new Map(names.map((name) => [name, new Set<string>()]));
  const add = (from: number, to: number) => next.get(nameAt(names, from))?.add(nameAt(names, to));
  parents.forEach((parent, at) => add(parent % (at + 1), at + 1));
  for (const [one, other] of forward) {
    const [from, to] = [one % names.length, other % names.length];
    if (from < to) add(from, to);
  }
  for (const [one, other] of back) add(one % names.length, other % names.length);
  return stateGraph('A', new Map([...next].map(([name, others]) => [name, [...others]])));
}

function nameAt(names: readonly string[], at: number): string {
  return names[at % names.length] ?? 'A';
}

type Pair = readonly [number, number];
const pair = fc.tuple(fc.nat(6), fc.nat(6));
const parents = fc.array(fc.nat(6), { minLength: 1, maxLength: 6 });
const acyclicGraph = fc.tuple(parents, fc.array(pair, { maxLength: 6 })).map(([tree, more]) => graphOf(tree, more, []));
const anyGraph = fc
  .tuple(parents, fc.array(pair, { maxLength: 4 }), fc.array(pair, { minLength: 1, maxLength: 4 }))
  .map(([tree, more, back]) => graphOf(tree, more, back));
const cyclicGraph = anyGraph.filter(({ isCyclic }) => isCyclic);
const chain = fc.integer({ min: 1, max: 6 }).map((length) =>
  graphOf(
    Array.from({ length }, (_, at) => at),
    [],
    [],
  ),
);

type Saying = 'target' | 'expected';
interface Walk {
  readonly graph: StateGraph;
  readonly events: readonly Transition[];
  /** Which event comes when, each at least once. */
  readonly arrivals: readonly number[];
}

/** Some steps along the graph, every other one perhaps a stay, and the events of it in any order with any copies. */
function walkIn(graphs: fc.Arbitrary<StateGraph>, saying: Saying, orders: boolean, stays = false): fc.Arbitrary<Walk> {
  const choices = fc.array(fc.tuple(fc.nat(20), fc.boolean()), { minLength: 1, maxLength: 10 });
  return fc
    .tuple(graphs, choices)
    .map(([graph, chosen]) => ({ graph, events: eventsOf(graph, chosen, { saying, orders, stays }) }))
    .filter(({ events }) => events.length > 0)
    .chain(({ graph, events }) => {
      const ids = events.map((_, at) => at);
      const copies = fc.array(fc.nat(events.length - 1), { maxLength: 5 });
      return copies
        .chain((extra) => fc.shuffledSubarray([...ids, ...extra], { minLength: ids.length + extra.length }))
        .map((arrivals) => ({ graph, events, arrivals }));
    });
}

interface Manner {
  readonly saying: Saying;
  readonly orders: boolean;
  readonly stays: boolean;
}

function eventsOf(graph: StateGraph, chosen: readonly (readonly [number, boolean])[], manner: Manner): Transition[] {
  let current = graph.initial;
  const events: Transition[] = [];
  for (const [choice, stay] of chosen) {
    const isStay = manner.stays && stay;
    const next = isStay ? [current] : (graph.states.get(current) ?? []);
    const target = next[choice % next.length];
    if (target === undefined) break;
    const expected = manner.saying === 'expected' && !isStay ? current : undefined;
    const order = manner.orders ? BigInt(events.length + 1) : undefined;
    events.push({ target, expected, order, eventId: newEventId(events.length) });
    current = target;
  }
  return events;
}

/** As the product does it: a copy is known by its id, and what waits is judged again after each change of the path. */
function play({ graph, events, arrivals }: Walk): { path: Path; refused: number; waiting: number } {
  const seen = new Set<number>();
  let waiting: Transition[] = [];
  let path = startPath(graph);
  let refused = 0;
  const judge = (event: Transition): void => {
    const judgement = judgeTransition(graph, path, event);
    if (judgement.kind === 'refused') refused += 1;
    else if (judgement.kind === 'wait') waiting.push(event);
    else if (judgement.path !== path) {
      path = judgement.path;
      const released = waiting;
      waiting = [];
      released.forEach(judge);
    }
  };
  for (const at of arrivals) {
    const event = events[at];
    if (event === undefined || seen.has(at)) continue;
    seen.add(at);
    judge(event);
  }
  return { path, refused, waiting: waiting.length };
}

function inOrder({ graph, events }: Walk): Path {
  const [first] = startPath(graph);
  return [first, ...events.map(({ target, eventId, order }) => ({ state: target, eventId, order }))];
}

describe('whatever the order and the copies in which the events of a walk come, they end in its state and path', () => {
  const cases: readonly (readonly [string, fc.Arbitrary<Walk>])[] = [
    ['acyclic, with order values', walkIn(acyclicGraph, 'target', true)],
    ['acyclic, with order values and expected states', walkIn(acyclicGraph, 'expected', true)],
    ['acyclic, with expected states alone', walkIn(acyclicGraph, 'expected', false)],
    ['cyclic, with order values', walkIn(cyclicGraph, 'target', true)],
    ['cyclic, with order values and expected states', walkIn(cyclicGraph, 'expected', true)],
    ['a chain, with neither', walkIn(chain, 'target', false)],
    ['cyclic, where events find the entity where it is', walkIn(cyclicGraph, 'target', true, true)],
  ];
  test.each(cases)('%s', (_name, walks) => {
    fc.assert(
      fc.property(walks, (walk) => {
        expect(play(walk)).toEqual({ path: inOrder(walk), refused: 0, waiting: 0 });
      }),
      { numRuns: draws(3_000) },
    );
  });
});

describe('in an acyclic graph, where events find the entity where it is, the first of each state stands in the path', () => {
  test.each(['target', 'expected'] as const)('saying their %s', (saying) => {
    fc.assert(
      fc.property(walkIn(acyclicGraph, saying, true, true), (walk) => {
        expect(play(walk)).toEqual({ path: movesOf(walk.graph, inOrder(walk)), refused: 0, waiting: 0 });
      }),
      { numRuns: draws(3_000) },
    );
  });
});

test('whatever events ask for, the path stays one along the graph with steps missing at most', () => {
  const anyEvents = fc.array(
    fc.record({
      target: fc.nat(6),
      expected: fc.option(fc.nat(6)),
      order: fc.option(fc.bigInt({ min: 0n, max: 12n })),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(fc.oneof(acyclicGraph, anyGraph), anyEvents, (graph, asked) => {
      const names = [...graph.states.keys()];
      let path = startPath(graph);
      asked.forEach(({ target, expected, order }, at) => {
        const judgement = judgeTransition(graph, path, {
          target: nameAt(names, target),
          expected: expected === null ? undefined : nameAt(names, expected),
          // A cyclic graph is promised an order value.
          order: order ?? (graph.isCyclic ? BigInt(at) : undefined),
          eventId: newEventId(at),
        });
        if (judgement.kind === 'wait') expect(judgement.states).not.toHaveLength(0);
        if (judgement.kind === 'wait' || judgement.kind === 'refused') return;
        path = judgement.path;
        expect(path.slice(1).filter((step, before) => !follows(graph, path[before]?.state, step.state))).toEqual([]);
      });
    }),
    { numRuns: draws(5_000) },
  );
});

function follows(graph: StateGraph, before: string | undefined, state: string): boolean {
  if (before === undefined) return false;
  return before === state ? graph.isCyclic : reaches(graph, before, state);
}

test('of two moves that exclude one another the first wins and the other is refused', () => {
  fc.assert(
    fc.property(acyclicGraph, fc.nat(6), fc.nat(6), fc.boolean(), (graph, one, other, hasOrder) => {
      const names = [...graph.states.keys()];
      const [first, second] = [nameAt(names, one), nameAt(names, other)];
      fc.pre(first !== second && hasEdge(graph, 'A', first) && hasEdge(graph, 'A', second));
      fc.pre(!reaches(graph, first, second) && !reaches(graph, second, first));
      for (const orders of hasOrder ? [[1n, 2n] as const, [2n, 1n] as const] : [[undefined, undefined] as const]) {
        const transition = (target: string, at: 0 | 1) => ({
          target,
          expected: undefined,
          order: orders[at],
          eventId: newEventId(at),
        });
        const won = judgeTransition(graph, startPath(graph), transition(first, 0));
        if (won.kind !== 'move') throw new Error(`The first one was judged ${won.kind}.`);
        expect(judgeTransition(graph, won.path, transition(second, 1)).kind).toBe('refused');
      }
    }),
    { numRuns: draws(2_000) },
  );
});
