import { JsonNumber, isJsonArray, isJsonObject, type Json } from './json.js';

/** JSON text without blanks; members in their order, every number as it was written. */
export function writeJson(value: Json): string {
  if (value instanceof JsonNumber) return value.text;
  if (isJsonObject(value)) {
    let members = '';
    for (const [name, member] of value) {
      members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${writeJson(member)}`;
    }
    return `{${members}}`;
  }
  if (isJsonArray(value)) return `[${value.map(writeJson).join(',')}]`;
  return JSON.stringify(value);
}
