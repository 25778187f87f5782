import { compareIdentities } from './comparing/compare-identities.js';
import { comparePlaces } from './comparing/compare-places.js';
import type { ContractChange } from './contract-change.js';
import { Mistakes } from './reading/mistakes.js';
import { parseYaml } from './reading/parse-yaml.js';

/**
 * What differs between two contracts: first what decides which facts are one, then the rest in the order of the file.
 *
 * The texts are compared as they are written, so that a contract that was stored long ago needs no meaning in today's
 * grammar, and no variable of either a value. Comments, blanks and the order of keys make no difference.
 *
 * @param before the text of the former contract, which was active and therefore is YAML
 * @param after the text of the newer one
 */
export function compareContracts(before: string, after: string): readonly ContractChange[] {
  const formerRoot = parseYaml(before, new Mistakes());
  const newerRoot = parseYaml(after, new Mistakes());
  if (formerRoot === undefined || newerRoot === undefined) throw new Error('A contract to compare is no YAML.');
  const identities = compareIdentities(formerRoot, newerRoot);
  const others = comparePlaces(formerRoot, newerRoot).filter(
    (other) => !identities.some((identity) => saysTheSame(identity, other)),
  );
  return [...identities, ...others];
}

/** An item that was added or taken away whole is never the one in which something changed, whatever its position. */
function saysTheSame(identity: ContractChange, other: ContractChange): boolean {
  if (/\[\d+\]$/.test(other.path)) return false;
  return isSameOrInside(identity.path, other.path) || isSameOrInside(other.path, identity.path);
}

function isSameOrInside(path: string, outer: string): boolean {
  return path === outer || (path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length)));
}
