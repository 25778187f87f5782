import type { RateLimit } from '../rate-limit.js';
import type { Place } from './place.js';
import { readDurationMs } from './read-duration.js';
import type { Reading } from './reading.js';

/** Stands in for a limit that could not be read; a contract with one is never used. */
const UNREAD: RateLimit = { max: 1, perMs: 1_000 };

export function readRateLimit(reading: Reading, place: Place): RateLimit {
  return {
    max: place.at('max')?.number() ?? UNREAD.max,
    perMs: readDurationMs(reading, place.at('per'), UNREAD.perMs),
  };
}
