import { describe, expect, test } from '@jest/globals';
import { newEventId } from '../ids.js';
import { explainJudgement } from './explain-judgement.js';
import { judgeTransition, type Judgement, type Transition } from './judge-transition.js';
import type { Path } from './path.js';
import { stateGraph, type StateGraph } from './state-graph.js';

const ORDER = stateGraph(
  'CREATED',
  new Map([
    ['CREATED', ['PAYING', 'CANCELLED']],
    ['PAYING', ['PAID', 'CANCELLED']],
    ['PAID', ['SHIPPED']],
    ['SHIPPED', ['COMPLETED']],
    ['COMPLETED', []],
    ['CANCELLED', []],
  ]),
);
const TICKET = stateGraph(
  'OPEN',
  new Map([
    ['OPEN', ['SOLVED']],
    ['SOLVED', ['OPEN', 'CLOSED']],
    ['CLOSED', []],
  ]),
);
const LAMP = stateGraph(
  'ON',
  new Map([
    ['ON', ['ON', 'OFF']],
    ['OFF', ['ON']],
  ]),
);

/** `PAID@3` is a step with the order value 3, `PAID` one without. */
function pathOf(text: string): Path {
  const [first = '', ...later] = text.split(' ');
  const steps = later.map((step, at) => ({ ...stateAt(step), eventId: newEventId(at) }));
  return [{ state: first, eventId: undefined, order: undefined }, ...steps];
}

function stateAt(text: string): { state: string; order: bigint | undefined } {
  const [state = '', order] = text.split('@');
  return { state, order: order === undefined ? undefined : BigInt(order) };
}

/** `PAYING>PAID@3` expects PAYING. */
function transitionOf(text: string): Transition {
  const [one = '', other] = text.split('>');
  const { state, order } = stateAt(other ?? one);
  return { target: state, expected: other === undefined ? undefined : one, order, eventId: newEventId(99) };
}

function written(path: Path): string {
  return path.map(({ state, order }) => (order === undefined ? state : `${state}@${String(order)}`)).join(' ');
}

function outcome(judgement: Judgement): string {
  switch (judgement.kind) {
    case 'wait':
      return `wait ${judgement.states.join(' ')}`;
    case 'refused':
      return `refused: ${judgement.reason}`;
    case 'move':
    case 'confirmed':
    case 'passed':
      return `${judgement.kind} ${written(judgement.path)}`;
  }
}

type Case = readonly [graph: StateGraph, path: string, transition: string, outcome: string];

describe('a transition is judged by the graph and the path', () => {
  const cases: readonly Case[] = [
    [ORDER, 'CREATED', 'PAYING', 'move CREATED PAYING'],
    [ORDER, 'CREATED', 'CREATED', 'confirmed CREATED'],
    [ORDER, 'CREATED PAYING', 'CREATED', 'passed CREATED PAYING'],
    [ORDER, 'CREATED', 'SHIPPED', 'wait PAID'],
    [ORDER, 'CREATED', 'PAID', 'wait PAYING'],
    [ORDER, 'CREATED CANCELLED', 'PAID', 'refused: no way leads from CANCELLED to PAID'],
    [ORDER, 'CREATED', 'CREATED>PAYING', 'move CREATED PAYING'],
    [ORDER, 'CREATED', 'PAYING>PAID', 'wait PAYING'],
    [ORDER, 'CREATED PAYING PAID', 'CREATED>PAYING', 'passed CREATED PAYING PAID'],
    [ORDER, 'CREATED', 'CREATED>PAID', 'refused: no step leads from CREATED to PAID'],
    [ORDER, 'CREATED CANCELLED', 'PAYING>PAID', 'refused: no way leads from CANCELLED to PAYING'],
    // The branch that was not taken: the state that it expects was passed.
    [ORDER, 'CREATED PAYING PAID', 'PAYING>CANCELLED', 'passed CREATED PAYING PAID'],
    // Late ones.
    [ORDER, 'CREATED CANCELLED@5', 'PAYING@2', 'passed CREATED PAYING@2 CANCELLED@5'],
    [
      ORDER,
      'CREATED PAYING@2 PAID@5',
      'CANCELLED@3',
      'refused: CANCELLED does not lie on a way from PAYING to PAID, between which it would belong',
    ],
    [ORDER, 'CREATED PAYING@2 PAID@5', 'PAYING@3', 'passed CREATED PAYING@2 PAID@5'],
    // The earlier of two that name one state stands in the path.
    [ORDER, 'CREATED PAYING@2 PAID@5', 'PAYING@1', 'passed CREATED PAYING@1 PAID@5'],
    [ORDER, 'CREATED PAYING@2 PAID@5', 'CREATED>PAYING@1', 'passed CREATED PAYING@1 PAID@5'],
    [ORDER, 'CREATED PAYING@2 PAID@5', 'PAID@4', 'passed CREATED PAYING@2 PAID@4'],
    [ORDER, 'CREATED PAYING@2', 'PAYING@3', 'confirmed CREATED PAYING@2'],
    [ORDER, 'CREATED PAYING@2', 'PAYING@2', 'confirmed CREATED PAYING@2'],
    // Equal ones are not late.
    [ORDER, 'CREATED PAYING@5', 'PAID@5', 'move CREATED PAYING@5 PAID@5'],
    // Circles.
    [TICKET, 'OPEN SOLVED@1', 'OPEN@2', 'move OPEN SOLVED@1 OPEN@2'],
    [TICKET, 'OPEN SOLVED@1', 'SOLVED@3', 'confirmed OPEN SOLVED@1 SOLVED@3'],
    [TICKET, 'OPEN SOLVED@1 SOLVED@3', 'OPEN@2', 'passed OPEN SOLVED@1 OPEN@2 SOLVED@3'],
    [TICKET, 'OPEN SOLVED@1 SOLVED@3', 'SOLVED@2', 'passed OPEN SOLVED@1 SOLVED@2 SOLVED@3'],
    [TICKET, 'OPEN', 'CLOSED@4', 'wait SOLVED'],
    [TICKET, 'OPEN SOLVED@1 CLOSED@2', 'OPEN@3', 'passed OPEN SOLVED@1 CLOSED@2'],
    [TICKET, 'OPEN SOLVED@1 CLOSED@2', 'SOLVED>OPEN@3', 'passed OPEN SOLVED@1 CLOSED@2'],
    [LAMP, 'ON', 'ON@1', 'move ON ON@1'],
    // A state that the contract no longer knows leads nowhere.
    [ORDER, 'DRAFT', 'PAID', 'refused: no way leads from DRAFT to PAID'],
  ];
  test.each(cases)('%#: %j %s + %s → %s', (graph, path, transition, expected) => {
    expect(outcome(judgeTransition(graph, pathOf(path), transitionOf(transition)))).toBe(expected);
  });
});

describe('a judgement says in words what became of the event', () => {
  const cases: readonly (readonly [path: string, transition: string, words: string])[] = [
    ['CREATED PAYING', 'PAID', 'The order is in PAYING and moves to PAID.'],
    ['CREATED PAYING', 'PAYING', 'The order is in PAYING already.'],
    ['CREATED PAYING PAID SHIPPED COMPLETED', 'SHIPPED', 'SHIPPED was passed already: the order is in COMPLETED.'],
    ['CREATED PAYING', 'CREATED>CANCELLED', 'CANCELLED comes too late: the order went another way and is in PAYING.'],
    [
      'CREATED CANCELLED@4',
      'PAYING@2',
      'PAYING comes late and takes its place in the path: the order is in CANCELLED.',
    ],
    ['CREATED', 'SHIPPED', 'The order is in CREATED; PAID has to come first.'],
    [
      'CREATED CANCELLED',
      'PAID',
      'The order is in CANCELLED and cannot move to PAID: no way leads from CANCELLED to PAID.',
    ],
  ];
  test.each(cases)('%s + %s: %s', (text, asked, words) => {
    const [path, transition] = [pathOf(text), transitionOf(asked)];
    expect(explainJudgement('order', path, transition, judgeTransition(ORDER, path, transition))).toBe(words);
  });

  test('several states that would do stand beside one another', () => {
    const graph = stateGraph(
      'A',
      new Map([
        ['A', ['B', 'C']],
        ['B', ['D']],
        ['C', ['D']],
        ['D', []],
      ]),
    );
    const path = pathOf('A');
    const transition = transitionOf('D');
    const words = explainJudgement('order', path, transition, judgeTransition(graph, path, transition));
    expect(words).toBe('The order is in A; B or C has to come first.');
  });
});
