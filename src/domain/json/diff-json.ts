import { writePointer } from '../contract/pointer.js';
import { canonicalJson } from './canonical-json.js';
import { isJsonArray, isJsonObject, type Json } from './json.js';

/** One place where two values differ; undefined: nothing stands there. */
export interface JsonChange {
  /** JSON Pointer. */
  readonly at: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
}

/**
 * What differs between two values, as deep as possible: members by name, and elements by position where both lists are
 * of one length; other lists are told as a whole. Two spellings of one number are no difference.
 */
export function diffJson(
  before: Json | undefined,
  after: Json | undefined,
  steps: readonly string[] = [],
): JsonChange[] {
  if (before === undefined || after === undefined) {
    return before === after ? [] : [{ at: writePointer(steps), before, after }];
  }
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...before.keys(), ...after.keys()]);
    return [...names].flatMap((name) => diffJson(before.get(name), after.get(name), [...steps, name]));
  }
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length) {
    return before.flatMap((element, at) => diffJson(element, after[at], [...steps, String(at)]));
  }
  if (canonicalJson(before) === canonicalJson(after)) return [];
  return [{ at: writePointer(steps), before, after }];
}
