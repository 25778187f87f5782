import { isJsonArray, type Json } from '../json/json.js';
import { parsePointer, valueAt, writePointer } from './pointer.js';

/** A JSON Pointer in which a step `*` stands for every element of an array, such as `/tags/*`. */
export interface PathPattern {
  readonly source: string;
  /** The steps up to the first `*`, those from there to the next one, and so on. */
  readonly stretches: readonly (readonly string[])[];
}

/** A place that a pattern leads to. `no_list`: something else stands where the pattern goes through an array. */
export type Reached = { readonly path: string } & (
  { readonly kind: 'value'; readonly value: Json } | { readonly kind: 'absent' } | { readonly kind: 'no_list' }
);

/** Returns undefined when `source` is not a JSON Pointer. */
export function parsePathPattern(source: string): PathPattern | undefined {
  const pointer = parsePointer(source);
  if (pointer === undefined) return undefined;
  const stretches: string[][] = [[]];
  for (const step of pointer.steps) {
    if (step === '*') stretches.push([]);
    else stretches.at(-1)?.push(step);
  }
  return { source, stretches };
}

/**
 * Every place that the pattern leads to, in the order of the arrays; `path` is the JSON Pointer to it. An array that is
 * empty, null or absent has no elements, so nothing is reached through it.
 */
export function reach(root: Json, pattern: PathPattern): readonly Reached[] {
  const [first = [], ...rest] = pattern.stretches;
  return rest.reduce(
    (reached, steps) => reached.flatMap((place) => throughList(place, steps)),
    [walk('', root, first)],
  );
}

function walk(path: string, from: Json, steps: readonly string[]): Reached {
  const value = valueAt(from, { source: '', steps });
  const at = path + writePointer(steps);
  return value === undefined ? { path: at, kind: 'absent' } : { path: at, kind: 'value', value };
}

function throughList(place: Reached, steps: readonly string[]): readonly Reached[] {
  if (place.kind !== 'value') return place.kind === 'absent' ? [] : [place];
  const { path, value } = place;
  if (value === null) return [];
  if (!isJsonArray(value)) return [{ path, kind: 'no_list' }];
  return value.map((element, at) => walk(`${path}/${String(at)}`, element, steps));
}
