import type { Contract } from './contract.js';
import { examineContract } from './examine-contract.js';
import type { Mistake } from './mistake.js';

export type ReadContract =
  | { readonly kind: 'contract'; readonly contract: Contract }
  /** At least one mistake, in the order of the file. */
  | { readonly kind: 'refused'; readonly mistakes: readonly Mistake[] };

/**
 * The contract that `text`, a `crosswalk.yaml`, describes, ready to be served; or everything that is wrong with it at
 * once. A variable that `env` does not know refuses the contract as well: whoever serves it would stand without a key.
 */
export function readContract(text: string, env: (name: string) => string | undefined): ReadContract {
  const { contract, mistakes: found } = examineContract(text, env);
  const mistakes = found.filter(({ kind }) => kind !== 'warning');
  if (contract === undefined || mistakes.length > 0) return { kind: 'refused', mistakes };
  return { kind: 'contract', contract };
}
