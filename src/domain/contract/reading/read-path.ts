import { didYouMean } from './nearest.js';
import type { Place } from './place.js';
import { variableFault } from './read-variable.js';
import type { Reading } from './reading.js';
import { wordList } from './word-list.js';

export type Hole = 'internal_id' | 'external_id';

/** The path of a call, with a complaint when it does not start at `base_url` or has holes that nothing fills. */
export function readPath(reading: Reading, place: Place | undefined, holes: readonly Hole[]): string {
  const path = place?.text() ?? '';
  const fault = pathFault(path, holes);
  if (place?.text() !== undefined && fault !== undefined) reading.mistakes.atValue(place, fault);
  return path;
}

function pathFault(path: string, holes: readonly Hole[]): string | undefined {
  const fault = variableFault(path);
  if (fault !== undefined) return fault;
  if (!path.startsWith('/')) return 'expected a path that starts with `/`; `base_url` stands before it';
  if (/[#\p{Cc}]/u.test(path)) return 'a path has no `#` and no control characters';
  for (const [, hole] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (hole === undefined || holes.some((known) => known === hole)) continue;
    if (hole === 'external_id') return '`{external_id}` is known in `update` only; here the record may not exist yet';
    return `unknown hole \`{${hole}}\`${didYouMean(hole, holes)}; expected ${wordList(holes.map((known) => `{${known}}`))}`;
  }
  const rest = path.replaceAll(/\{[^{}]*\}/g, '');
  return /[{}]/.test(rest) ? 'a brace is open or closed that has no partner' : undefined;
}
