import type { Json, JsonNumber } from './json/json.js';
import type { FieldClock } from './field-clock.js';

/** What a merge rule remembers of a field, so that repeats and late events end in the same value. */
export type MergedField =
  | ({ readonly kind: 'sum'; readonly total: JsonNumber } & Told)
  | ({ readonly kind: 'max' | 'min'; readonly value: Json } & Told)
  | ({ readonly kind: 'append_unique_by' | 'union'; readonly elements: ReadonlyMap<string, MergedElement> } & Told)
  | { readonly kind: 'latest'; readonly value: Json; readonly clock: FieldClock };

interface Told {
  /** When the newest event that had a share in it happened, where it said so: microseconds since 1970. */
  readonly at?: bigint;
}

/** An element of a list, known by its id. */
export interface MergedElement {
  readonly value: Json;
  /** Of its first appearance by order value, which decides its place in the list. */
  readonly first: FieldClock;
  /** Its place in the list of that event. */
  readonly position: number;
  /** Of the event whose content counts. */
  readonly last: FieldClock;
}

/** The field as the record shows it. */
export function valueOf(field: MergedField): Json {
  switch (field.kind) {
    case 'sum':
      return field.total;
    case 'max':
    case 'min':
    case 'latest':
      return field.value;
    case 'append_unique_by':
    case 'union':
      return [...field.elements]
        .sort(([idA, a], [idB, b]) => compareFirst(a, b) || compare(idA, idB))
        .map(([, { value }]) => value);
  }
}

/** By first appearance; elements of one event in the order in which it lists them. */
function compareFirst(a: MergedElement, b: MergedElement): number {
  return compare(a.first.order, b.first.order) || compare(a.first.key, b.first.key) || a.position - b.position;
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : Number(a > b);
}
