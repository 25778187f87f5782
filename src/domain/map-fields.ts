import type { FieldRule } from './contract/contract.js';
import { valueAt } from './contract/pointer.js';
import type { Json, JsonObject } from './json/json.js';

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
