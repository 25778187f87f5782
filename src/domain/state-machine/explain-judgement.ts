import type { Judgement, Transition } from './judge-transition.js';
import { currentState, type Path } from './path.js';

/** One sentence or two for a person: what became of the transition, and why. `path` is the one that it was judged by. */
export function explainJudgement(entityType: string, path: Path, { target }: Transition, judgement: Judgement): string {
  const current = currentState(path);
  switch (judgement.kind) {
    case 'move':
      return `The ${entityType} is in ${current} and moves to ${target}.`;
    case 'confirmed':
      return `The ${entityType} is in ${target} already.`;
    case 'passed':
      if (judgement.path !== path) {
        return `${target} comes late and takes its place in the path: the ${entityType} is in ${current}.`;
      }
      return path.some(({ state }) => state === target)
        ? `${target} was passed already: the ${entityType} is in ${current}.`
        : `${target} comes too late: the ${entityType} went another way and is in ${current}.`;
    case 'wait':
      return `The ${entityType} is in ${current}; ${alternatives(judgement.states)} has to come first.`;
    case 'refused':
      return `The ${entityType} is in ${current} and cannot move to ${target}: ${judgement.reason}.`;
  }
}

function alternatives(states: readonly string[]): string {
  const last = states.at(-1) ?? '';
  return states.length < 2 ? last : `${states.slice(0, -1).join(', ')} or ${last}`;
}
