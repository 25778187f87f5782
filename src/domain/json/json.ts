/**
 * JSON as it was written. `JSON.parse` turns 9007199254740993 into …992 and 100.00 into 100; here a number keeps
 * its text, an object keeps the order of its members, and `__proto__` is a name like any other.
 */
export type Json = null | boolean | string | JsonNumber | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export type JsonObject = ReadonlyMap<string, Json>;

/** A JSON number by its source text, which is valid by RFC 8259 §6. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

export function isJsonArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}
