import { canonicalInstant } from '../instant.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json, type JsonArray, type JsonObject } from '../json/json.js';
import { canonicalNumber, plainNumber } from './canonical-number.js';
import { elementOf, type PointerTree } from './pointer-tree.js';

export interface CanonicalOptions {
  readonly marks?: PointerTree | undefined;
  /** How an id is spelt before it is compared. */
  readonly normalizeId?: (id: string) => string;
}

/**
 * One text for all spellings of the same content: members sorted by name, no blanks, numbers by value, strings that
 * are full RFC 3339 date-times by instant, and values that serve as ids as text (a JSON number and the same digits
 * as text are one id). Places that are marked as volatile are left out. Different content gives different texts. The result is for comparing and hashing only and is
 * no JSON: text is written with its length in front, which needs no look at its characters.
 */
export function canonicalJson(value: Json, options: CanonicalOptions = {}): string {
  return canonical(value, options.marks, options.normalizeId ?? ((id) => id));
}

/** Text in a form that shows where it ends, whatever stands in it. */
export function canonicalText(text: string): string {
  return `"${String(text.length)}:${text}`;
}

function canonical(value: Json, marks: PointerTree | undefined, normalizeId: (id: string) => string): string {
  if (marks?.mark === 'id') {
    if (typeof value === 'string') return canonicalText(normalizeId(value));
    if (value instanceof JsonNumber) return canonicalText(normalizeId(plainNumber(value.text)));
  }
  if (typeof value === 'boolean' && marks?.mark !== undefined) return canonicalText(String(value));
  if (typeof value === 'string') return canonicalString(value);
  if (value instanceof JsonNumber) {
    return marks?.mark === 'key' ? canonicalText(plainNumber(value.text)) : `#${canonicalNumber(value.text)}`;
  }
  if (isJsonObject(value)) return canonicalObject(value, marks, normalizeId);
  if (isJsonArray(value)) return canonicalArray(value, marks, normalizeId);
  return String(value);
}

function canonicalArray(value: JsonArray, marks: PointerTree | undefined, normalizeId: (id: string) => string): string {
  let elements = '';
  value.forEach((element, at) => {
    const mark = elementOf(marks, at);
    if (mark?.mark !== 'volatile') elements += canonical(element, mark, normalizeId);
  });
  return `[${elements}]`;
}

function canonicalObject(
  value: JsonObject,
  marks: PointerTree | undefined,
  normalizeId: (id: string) => string,
): string {
  let members = '';
  for (const name of sortedNames(value)) {
    const mark = marks?.members.get(name);
    if (mark?.mark === 'volatile') continue;
    members += canonicalText(name) + canonical(value.get(name) ?? null, mark, normalizeId);
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
