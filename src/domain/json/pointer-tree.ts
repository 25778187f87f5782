/** What a place in a JSON value is when two copies of the value are compared. */
export type PlaceMark =
  /** Compares as text, in the spelling of ids. */
  | 'id'
  /** Compares as a part of a key does: 100 and "100" are one. */
  | 'key'
  /** May differ, and is left out. */
  | 'volatile';

/** Marked places of a JSON value, as a tree of member names; `*` stands for every element of a list. */
export interface PointerTree {
  readonly mark?: PlaceMark | undefined;
  readonly members: ReadonlyMap<string, PointerTree>;
}

interface GrowingTree extends PointerTree {
  mark?: PlaceMark | undefined;
  readonly members: Map<string, GrowingTree>;
}

/** Of several marks for one place the first one counts. */
export function plantTree(
  places: readonly { readonly steps: readonly string[]; readonly mark: PlaceMark }[],
): PointerTree {
  const root: GrowingTree = { members: new Map() };
  for (const { steps, mark } of places) {
    let node = root;
    for (const step of steps) {
      const next = node.members.get(step) ?? { members: new Map<string, GrowingTree>() };
      node.members.set(step, next);
      node = next;
    }
    node.mark ??= mark;
  }
  return root;
}

export function memberOf(tree: PointerTree | undefined, name: string): PointerTree | undefined {
  return tree?.members.get(name);
}

export function elementOf(tree: PointerTree | undefined, index: number): PointerTree | undefined {
  return tree?.members.get(String(index)) ?? tree?.members.get('*');
}
