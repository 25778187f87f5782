import { canonicalInstant } from '../instant.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.js';
import { canonicalNumber, plainNumber } from './canonical-number.js';

/** Pointers whose values compare as ids, as a tree of member names; `isId` marks the end of one. */
export interface IdPointerTree {
  readonly isId: boolean;
  readonly members: ReadonlyMap<string, IdPointerTree>;
  /** For every item of a list. */
  readonly items?: IdPointerTree | undefined;
}

export interface CanonicalOptions {
  readonly ids?: IdPointerTree | undefined;
  /** How an id is spelt before it is compared. */
  readonly normalizeId?: (id: string) => string;
}

/**
 * One text for all spellings of the same content: members sorted by name, no blanks, numbers by value, strings that
 * are full RFC 3339 date-times by instant, and values that serve as ids as text (a JSON number and the same digits
 * as text are one id). Different content gives different texts. The result is for comparing and hashing only and is
 * no JSON: text is written with its length in front, which needs no look at its characters.
 */
export function canonicalJson(value: Json, options: CanonicalOptions = {}): string {
  return canonical(value, options.ids, options.normalizeId ?? ((id) => id));
}

/** Text in a form that shows where it ends, whatever stands in it. */
export function canonicalText(text: string): string {
  return `"${String(text.length)}:${text}`;
}

function canonical(value: Json, ids: IdPointerTree | undefined, normalizeId: (id: string) => string): string {
  if (ids?.isId === true && (typeof value === 'string' || value instanceof JsonNumber)) {
    return canonicalText(normalizeId(typeof value === 'string' ? value : plainNumber(value.text)));
  }
  if (typeof value === 'string') return canonicalString(value);
  if (value instanceof JsonNumber) return `#${canonicalNumber(value.text)}`;
  if (isJsonObject(value)) return canonicalObject(value, ids, normalizeId);
  if (isJsonArray(value)) {
    return `[${value.map((item, at) => canonical(item, idsOfItem(ids, at), normalizeId)).join('')}]`;
  }
  return String(value);
}

function idsOfItem(ids: IdPointerTree | undefined, at: number): IdPointerTree | undefined {
  const one = ids?.members.get(String(at));
  const every = ids?.items;
  return one === undefined || every === undefined ? (one ?? every) : both(one, every);
}

function both(a: IdPointerTree, b: IdPointerTree): IdPointerTree {
  const members = new Map(a.members);
  for (const [name, tree] of b.members) {
    const other = members.get(name);
    members.set(name, other === undefined ? tree : both(other, tree));
  }
  const items = a.items === undefined || b.items === undefined ? (a.items ?? b.items) : both(a.items, b.items);
  return { isId: a.isId || b.isId, members, items };
}

function canonicalObject(
  value: JsonObject,
  ids: IdPointerTree | undefined,
  normalizeId: (id: string) => string,
): string {
  let members = '';
  for (const name of sortedNames(value)) {
    members += canonicalText(name) + canonical(value.get(name) ?? null, ids?.members.get(name), normalizeId);
  }
  return `{${members}}`;
}

/** Many senders print their members in order, and then there is nothing to sort. */
function sortedNames(value: JsonObject): readonly string[] {
  const names = [...value.keys()];
  return isSorted(names) ? names : names.sort();
}

function isSorted(names: readonly string[]): boolean {
  let former = '';
  for (const name of names) {
    if (name < former) return false;
    former = name;
  }
  return true;
}

function canonicalString(value: string): string {
  const instant = canonicalInstant(value);
  return instant === undefined ? canonicalText(value) : `@${instant}`;
}
