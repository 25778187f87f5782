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

/** As readPointer, for a pointer that is the key of `place`. */
export function readPointerKey(reading: Reading, place: Place, key: string): Pointer | undefined {
  const pointer = parsePointer(key);
  if (pointer === undefined) reading.mistakes.atKey(place, pointerFault(key));
  return pointer;
}

/** The sentence about a text that is no JSON Pointer. */
export function pointerFault(source: string): string {
  const fault = variableFault(source);
  if (fault !== undefined) return fault;
  if (/^(header|query|body)\//.test(source)) return `\`${source.replace(/\/.*/, '/')}…\` is not there yet`;
  if (source === 'item' || source === 'hash') return `\`{${source}}\` is not there yet`;
  if (/^\{\/.*\}$/.test(source)) return `expected a JSON Pointer without braces: \`${source.slice(1, -1)}\``;
  if (source.startsWith('/'))
    return `\`${source}\` is not a JSON Pointer: \`~\` is written \`~0\`, \`/\` inside a name \`~1\``;
  return `\`${source}\` is not a JSON Pointer (did you mean \`/${source.replaceAll('.', '/')}\`?)`;
}
