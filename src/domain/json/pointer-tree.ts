/** What a place in a JSON value is when two copies of the value are compared. */
export type PlaceMark =
  /** Compares as text, in the spelling of ids. */
  | 'id'
  /** Compares as a part of a key does: 100 and "100" are one. */
  | 'key'
  /** May differ, and is left out. */
  | 'volatile';

/** Marked places of a JSON value, as a tree of member names. */
export interface PointerTree {
  readonly mark?: PlaceMark | undefined;
  readonly members: ReadonlyMap<string, PointerTree>;
  /** For every element of a list. */
  readonly elements?: PointerTree | undefined;
}

/** A place, or all that a pattern leads to: steps up to a list, steps inside each of its elements, and so on. */
export interface MarkedPlace {
  readonly stretches: readonly (readonly string[])[];
  readonly mark: PlaceMark;
}

interface GrowingTree extends PointerTree {
  mark?: PlaceMark | undefined;
  readonly members: Map<string, GrowingTree>;
  elements?: GrowingTree | undefined;
}

const seed = (): GrowingTree => ({ members: new Map() });

/** Of several marks for one place the first one counts. */
export function plantTree(places: readonly MarkedPlace[]): PointerTree {
  const root = seed();
  for (const { stretches, mark } of places) {
    let node = root;
    for (const [at, steps] of stretches.entries()) {
      if (at > 0) node = node.elements ??= seed();
      for (const step of steps) {
        const next = node.members.get(step) ?? seed();
        node.members.set(step, next);
        node = next;
      }
    }
    node.mark ??= mark;
  }
  return root;
}

/** What is marked in one element of a list: by its own number, and as one of all. */
export function elementOf(tree: PointerTree | undefined, index: number): PointerTree | undefined {
  const one = tree?.members.get(String(index));
  const every = tree?.elements;
  return one === undefined || every === undefined ? (one ?? every) : united(one, every);
}

function united(one: PointerTree, other: PointerTree): PointerTree {
  const members = new Map(one.members);
  for (const [name, tree] of other.members) {
    const known = members.get(name);
    members.set(name, known === undefined ? tree : united(known, tree));
  }
  const bothElements = one.elements !== undefined && other.elements !== undefined;
  const elements = bothElements ? united(one.elements, other.elements) : (one.elements ?? other.elements);
  return { mark: one.mark ?? other.mark, members, elements };
}
