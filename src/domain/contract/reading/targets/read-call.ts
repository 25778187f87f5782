import type { CallMethod, TargetCall } from '../../target-call.js';
import type { Place } from '../place.js';
import type { Reading } from '../reading.js';
import type { HoleScope, HoleWord } from './hole-scope.js';
import { readBody } from './read-body.js';
import { readHeaders } from './read-headers.js';
import { readPath, readPathOrAddress } from './read-path.js';

/** What the calls of a target may refer to, and where they may go. */
export interface TargetSetting {
  /** The names of the target's `secrets`. */
  readonly secrets: readonly string[];
  readonly isPrivateAllowed: boolean;
}

/** The same for the calls of one entity type. */
export interface CallSetting extends TargetSetting {
  /** Entity types under `needs`. */
  readonly needs: readonly string[];
}

const METHOD_BY_VERB: Readonly<Record<string, CallMethod>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};

/** A call below `base_url`. */
export function readCall(reading: Reading, place: Place, words: readonly HoleWord[], setting: CallSetting): TargetCall {
  const scope = scopeOf(words, setting);
  return { ...readParts(reading, place, scope, setting), path: readPath(reading, place.at(verbOf(place)), scope) };
}

/** A call that may stand with its whole address. */
export function readFreeCall(
  reading: Reading,
  place: Place,
  words: readonly HoleWord[],
  setting: CallSetting,
): TargetCall {
  const scope = scopeOf(words, setting);
  const { isPrivateAllowed } = setting;
  const path = readPathOrAddress(reading, place.at(verbOf(place)), { scope, isPrivateAllowed });
  return { ...readParts(reading, place, scope, setting), path };
}

function readParts(
  reading: Reading,
  place: Place,
  scope: HoleScope,
  { needs, secrets }: CallSetting,
): Omit<TargetCall, 'path'> {
  const verb = verbOf(place);
  const bodyPlace = place.at('body');
  if (place.has('get') && bodyPlace !== undefined) {
    reading.mistakes.atKey(bodyPlace, '`get` carries no `body`; use `post`');
  }
  const inputs = scope.words.filter((word) => word === 'current' || word === 'ticket');
  const headers = readHeaders(reading, place.at('headers'), scope);
  const body = readBody(reading, bodyPlace, { needs, secrets, inputs });
  return {
    method: METHOD_BY_VERB[verb] ?? 'GET',
    ...(headers.size > 0 && { headers }),
    ...(body !== undefined && { body }),
  };
}

function verbOf(place: Place): string {
  return Object.keys(METHOD_BY_VERB).find((verb) => place.has(verb)) ?? 'get';
}

function scopeOf(words: readonly HoleWord[], { secrets }: CallSetting): HoleScope {
  return { words, secrets, taken: [] };
}
