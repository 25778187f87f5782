import type { Position } from '../mistake.js';

export type PlaceContent =
  | { readonly kind: 'scalar'; readonly plain: null | boolean | number | string; readonly source: string }
  | { readonly kind: 'list'; readonly items: readonly Place[] }
  | { readonly kind: 'map'; readonly members: ReadonlyMap<string, Place> };

/**
 * A value of the file together with where it stands. Reading a value of another shape than expected gives nothing
 * instead of failing: the schema has complained about it already, and the rest of the file shall still be looked at.
 */
export class Place {
  constructor(
    readonly steps: readonly string[],
    readonly position: Position,
    /** Of the key that names the value; an item of a list has no key and uses its own position. */
    readonly keyPosition: Position,
    private readonly content: PlaceContent,
  ) {}

  get path(): string {
    return this.steps.map(pathStep).join('').replace(/^\./, '');
  }

  at(key: string): Place | undefined {
    return this.content.kind === 'map' ? this.content.members.get(key) : undefined;
  }

  has(key: string): boolean {
    return this.at(key) !== undefined;
  }

  entries(): readonly (readonly [string, Place])[] {
    return this.content.kind === 'map' ? [...this.content.members] : [];
  }

  keys(): readonly string[] {
    return this.entries().map(([key]) => key);
  }

  items(): readonly Place[] {
    return this.content.kind === 'list' ? this.content.items : [];
  }

  /** The list's items, or the one value that stands where a list of one is meant. */
  oneOrMore(): readonly Place[] {
    return this.content.kind === 'list' ? this.content.items : [this];
  }

  isBlock(): boolean {
    return this.content.kind === 'map';
  }

  isList(): boolean {
    return this.content.kind === 'list';
  }

  text(): string | undefined {
    return this.content.kind === 'scalar' && typeof this.content.plain === 'string' ? this.content.plain : undefined;
  }

  number(): number | undefined {
    return this.content.kind === 'scalar' && typeof this.content.plain === 'number' ? this.content.plain : undefined;
  }

  /** A scalar as text. A number keeps its spelling: YAML would make 1 of 1.0 and 16 of 0x10. */
  spelling(): string | undefined {
    if (this.content.kind !== 'scalar' || this.content.plain === null) return undefined;
    return typeof this.content.plain === 'number' ? this.content.source : String(this.content.plain);
  }

  /** The value as the JSON Schema validator takes it. */
  plain(): unknown {
    if (this.content.kind === 'scalar') return this.content.plain;
    if (this.content.kind === 'list') return this.content.items.map((item) => item.plain());
    // Without a prototype, so that a key called `__proto__` is a key and is refused as an unknown one.
    const members = Object.create(null) as Record<string, unknown>;
    for (const [key, place] of this.content.members) members[key] = place.plain();
    return members;
  }

  /** The place that a JSON Pointer's steps lead to, or the deepest one on the way. */
  descend(steps: readonly string[]): Place {
    const [step, ...rest] = steps;
    if (step === undefined) return this;
    const next = this.content.kind === 'list' ? this.content.items[Number(step)] : this.at(step);
    return next === undefined ? this : next.descend(rest);
  }
}

function pathStep(step: string): string {
  if (/^\d+$/.test(step)) return `[${step}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
