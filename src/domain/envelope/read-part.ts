import { JsonNumber, type Json, type JsonObject } from '../json/json.js';
import { SyncError } from '../sync-error.js';

/** @throws SyncError `envelope.invalid` where it is missing or no text */
export function requiredText(object: JsonObject, name: string, parent: string): string {
  const text = optionalText(object, name, parent);
  if (text !== undefined) return text;
  throw new SyncError('envelope.invalid', `\`${name}\` is missing.`, { at: `${parent}/${name}` });
}

/** @throws SyncError `envelope.invalid` where it is no text; null is its absence */
export function optionalText(object: JsonObject, name: string, parent: string): string | undefined {
  const value = object.get(name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throw new SyncError('envelope.invalid', `\`${name}\` is text.`, { at: `${parent}/${name}` });
}

/** @throws SyncError `version.invalid` where it is neither a number nor text; null is its absence */
export function optionalVersion(value: Json | undefined, at: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (value instanceof JsonNumber) return value.text;
  throw new SyncError('version.invalid', 'A version is a number or text of digits.', { at });
}
