import { parsePointer, type Pointer } from '../pointer.js';
import type { Place } from './place.js';
import { variableFault } from './read-variable.js';
import type { Reading } from './reading.js';

/** The pointer at `place`, or undefined with a complaint. */
export function readPointer(reading: Reading, place: Place | undefined): Pointer | undefined {
  const source = place?.text();
  if (place === undefined || source === undefined) return undefined;
  const pointer = parsePointer(source);
  if (pointer === undefined) reading.mistakes.atValue(place, pointerFault(source));
  return pointer;
}

/** The sentence about a text that is no JSON Pointer. */
export function pointerFault(source: string): string {
  const fault = variableFault(source);
  if (fault !== undefined) return fault;
  if (/^\{\/.*\}$/.test(source)) return `expected a JSON Pointer without braces: \`${source.slice(1, -1)}\``;
  if (/^(header|query|body)\/|^(item|hash)$/.test(source)) {
    return `\`${source}\` has no meaning here: expected a JSON Pointer`;
  }
  if (source.startsWith('/')) return jsonPointerFault(source);
  return `\`${source}\` is not a JSON Pointer (did you mean \`/${source.replaceAll('.', '/')}\`?)`;
}

/** The sentence about a text that begins like a JSON Pointer and is none. */
export function jsonPointerFault(source: string): string {
  return `\`${source}\` is not a JSON Pointer: \`~\` is written \`~0\`, \`/\` inside a name \`~1\``;
}
