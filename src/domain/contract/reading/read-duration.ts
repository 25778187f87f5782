import type { Place } from './place.js';
import type { Reading } from './reading.js';

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** JavaScript timers hold 31 bits of milliseconds: a longer one fires at once. */
const DURATION_MS_MAX = 24 * UNIT_MS.d;

/** Milliseconds of a text such as `10m`; the fallback where nothing, or nothing readable, stands. */
export function readDurationMs(reading: Reading, place: Place | undefined, fallbackMs: number): number {
  const [, amount, unit] = /^(\d+)(ms|s|m|h|d)$/.exec(place?.text() ?? '') ?? [];
  if (place === undefined || amount === undefined || unit === undefined) return fallbackMs;
  const durationMs = Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  if (durationMs > DURATION_MS_MAX) reading.mistakes.atValue(place, 'expected a duration of 24d or less');
  return durationMs;
}
