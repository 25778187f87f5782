import type { FieldRule } from './contract/contract.js';
import { valueAt } from './contract/pointer.js';
import { isJsonObject, type Json, type JsonObject } from './json/json.js';

/** The payload by canonical names. Without rules the names are as they are; a field that is absent stays absent. */
export function mapFields(payload: JsonObject, rules: readonly FieldRule[] | undefined): JsonObject {
  if (rules === undefined) return payload;
  const fields = new Map<string, Json>();
  for (const { field, pointer } of rules) {
    const value = valueAt(payload, pointer);
    if (value !== undefined) fields.set(field, value);
  }
  return fields;
}

/** The object without what stands there; places above it that are objects stay. */
export function withoutPlace(object: JsonObject, [name, ...rest]: readonly string[]): JsonObject {
  const member = name === undefined ? undefined : object.get(name);
  if (name === undefined || member === undefined) return object;
  const copy = new Map<string, Json>(object);
  if (rest.length === 0) copy.delete(name);
  else if (isJsonObject(member)) copy.set(name, withoutPlace(member, rest));
  return copy;
}
