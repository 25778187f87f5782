import { expect, test } from '@jest/globals';
import { mermaidOf } from './mermaid-of.js';
import { stateGraph } from './state-graph.js';

test('a graph becomes a state diagram in which no name can be grammar', () => {
  const graph = stateGraph(
    'CREATED',
    new Map([
      ['CREATED', ['wait: "now" --> [*]']],
      ['wait: "now" --> [*]', ['À payer #1']],
      ['À payer #1', []],
    ]),
  );
  expect(mermaidOf(graph)).toBe(`stateDiagram-v2
  state "CREATED" as s0
  state "wait#58; #34;now#34; --#62; #91;#42;#93;" as s1
  state "À payer #35;1" as s2
  [*] --> s0
  s0 --> s1
  s1 --> s2
  s2 --> [*]
`);
});
