import type { Contract } from './contract.js';

/** The names of the systems that receive. */
export function targetsOf(contract: Contract): readonly string[] {
  return [...contract.systems.values()].flatMap(({ name, deliver }) => (deliver === undefined ? [] : name));
}
