const FIRST_MS = 1_000;
const CAP_MS = 30_000;

/** How long after the n-th failure in a row (from 1) the next connection is made: each time twice as long. */
export function connectAgainAfterMs(failures: number): number {
  return Math.min(CAP_MS, FIRST_MS * 2 ** (failures - 1));
}
