import type { ContractChange } from '../contract-change.js';
import type { Place } from '../reading/place.js';
import { pairItems } from './pair-items.js';
import { shown, written } from './written.js';

/** Every difference between what stands at two places, at the deepest place that both have; lists of texts as a whole. */
export function comparePlaces(before: Place, after: Place): readonly ContractChange[] {
  if (written(before) === written(after)) return [];
  if (before.isBlock() && after.isBlock()) return compareBlocks(before, after);
  if (holdsBlocks(before) && holdsBlocks(after)) return compareLists(before, after);
  return [changed(before, after)];
}

export function changed(before: Place | undefined, after: Place | undefined): ContractChange {
  return {
    kind: 'other',
    path: (after ?? before)?.path ?? '',
    ...(after && { position: after.position, after: shown(after) }),
    ...(before && { before: shown(before) }),
  };
}

function compareBlocks(before: Place, after: Place): readonly ContractChange[] {
  const stayedOrAdded = after.entries().flatMap(([key, newer]) => {
    const former = before.at(key);
    return former === undefined ? [changed(undefined, newer)] : comparePlaces(former, newer);
  });
  const removed = before.entries().filter(([key]) => !after.has(key));
  return [...stayedOrAdded, ...removed.map(([, former]) => changed(former, undefined))];
}

function compareLists(before: Place, after: Place): readonly ContractChange[] {
  const { pairs, removed, added } = pairItems(before.items(), after.items());
  return [
    ...pairs.flatMap(([former, newer]) => comparePlaces(former, newer)),
    ...added.map((item) => changed(undefined, item)),
    ...removed.map((item) => changed(item, undefined)),
    ...compareOrder(before, after, pairs),
  ];
}

/** The first rule that fits is taken, so that their order says something as well. */
function compareOrder(before: Place, after: Place, pairs: readonly (readonly [Place, Place])[]): ContractChange[] {
  const inNewOrder = pairs.toSorted(([, a], [, b]) => after.items().indexOf(a) - after.items().indexOf(b));
  const positions = inNewOrder.map(([former]) => before.items().indexOf(former));
  if (positions.every((position, at) => at === 0 || position > (positions[at - 1] ?? -1))) return [];
  const order = `the order of the items; they stood at ${positions.map((position) => `[${position}]`).join(', ')}`;
  return [{ kind: 'other', path: after.path, position: after.position, after: order }];
}

function holdsBlocks(place: Place): boolean {
  return place.isList() && place.items().every((item) => item.isBlock());
}
