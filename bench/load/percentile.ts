/** The nearest-rank percentile of values in ascending order; `share` is between 0 and 1. NaN where there are none. */
export function percentile(ascending: ArrayLike<number>, share: number): number {
  const rank = Math.max(1, Math.ceil(share * ascending.length));
  return ascending[rank - 1] ?? Number.NaN;
}
