import { expect, test } from '@jest/globals';
import { newEventId } from '../ids.js';
import { STEPS_MAX, currentState, insertStep, movesOf, readPath, startPath, writePath, type Path } from './path.js';
import { stateGraph } from './state-graph.js';

const LAMP = stateGraph(
  'OFF',
  new Map([
    ['OFF', ['ON']],
    ['ON', ['OFF']],
  ]),
);

const at = (state: string, order: bigint) => ({ state, order, eventId: newEventId(Number(order % 1_000n)) });

test('a path comes back from its text as it was, however many digits its order values have', () => {
  const [start] = startPath(LAMP);
  const path: Path = [start, { ...at('ON', 1n), order: undefined }, at('OFF', 9_007_199_254_740_993n)];
  expect(readPath(writePath(path))).toEqual(path);
  expect(writePath(startPath(LAMP))).toBe('[{"state":"OFF"}]');
});

test('confirmations are no moves', () => {
  const [start] = startPath(LAMP);
  const path: Path = [start, at('OFF', 1n), at('ON', 2n), at('ON', 3n), at('OFF', 4n)];
  expect(movesOf(LAMP, path).map(({ state, order }) => [state, order])).toEqual([
    ['OFF', undefined],
    ['ON', 2n],
    ['OFF', 4n],
  ]);
});

test('a step from a state to itself is a move where the graph has it', () => {
  const graph = stateGraph('ON', new Map([['ON', ['ON']]]));
  const [start] = startPath(graph);
  expect(movesOf(graph, [start, at('ON', 1n)])).toHaveLength(2);
});

test('a path remembers the newest steps only, and where it began', () => {
  let path = startPath(LAMP);
  for (let order = 1; order <= STEPS_MAX + 3; order += 1) {
    path = insertStep(path, at(order % 2 === 1 ? 'ON' : 'OFF', BigInt(order)), path.length);
  }
  expect(path).toHaveLength(STEPS_MAX + 1);
  expect(path[0].eventId).toBeUndefined();
  expect(path[1]?.order).toBe(4n);
  expect(currentState(path)).toBe('ON');
});
