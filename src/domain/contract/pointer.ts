import { isJsonArray, isJsonObject, type Json } from '../json/json.js';

/** A JSON Pointer (RFC 6901), parsed. The empty list is the whole value. */
export interface Pointer {
  readonly source: string;
  readonly steps: readonly string[];
}

/** Returns undefined when `source` is not a JSON Pointer. */
export function parsePointer(source: string): Pointer | undefined {
  if (source !== '' && !source.startsWith('/')) return undefined;
  if (/~(?![01])/.test(source)) return undefined;
  const steps = source
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { source, steps };
}

/** The JSON Pointer that leads along these names. */
export function writePointer(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value that the pointer names, or undefined where nothing stands. */
export function valueAt(root: Json, pointer: Pointer): Json | undefined {
  let value: Json | undefined = root;
  for (const step of pointer.steps) {
    if (isJsonObject(value)) value = value.get(step);
    else if (isJsonArray(value) && /^(0|[1-9]\d*)$/.test(step)) value = value[Number(step)];
    else return undefined;
  }
  return value;
}
