import type { StateGraph } from './state-graph.js';

/** The graph as text for Mermaid (https://mermaid.js.org/syntax/stateDiagram.html), whatever its states are called. */
export function mermaidOf({ initial, states }: StateGraph): string {
  const ids = new Map([...states.keys()].map((state, at) => [state, `s${String(at)}`]));
  const idOf = (state: string) => ids.get(state) ?? '[*]';
  const lines = ['stateDiagram-v2'];
  for (const [state, id] of ids) lines.push(`  state "${label(state)}" as ${id}`);
  lines.push(`  [*] --> ${idOf(initial)}`);
  for (const [state, next] of states) {
    if (next.length === 0) lines.push(`  ${idOf(state)} --> [*]`);
    for (const other of next) lines.push(`  ${idOf(state)} --> ${idOf(other)}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Everything that Mermaid could read as its own grammar stands as the number of its character. */
function label(state: string): string {
  return state.replace(/[^\p{L}\p{N} _-]/gu, (character) => `#${String(character.codePointAt(0))};`);
}
