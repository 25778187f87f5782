/** The largest number of instants (milliseconds, ascending) within any stretch of `windowMs`, and where it begins. */
export function busiestWindow(
  instants: readonly number[],
  windowMs: number,
): { readonly most: number; readonly from: number | undefined } {
  let most = 0;
  let from: number | undefined;
  let first = 0;
  for (const [last, instant] of instants.entries()) {
    while (instant - (instants[first] ?? instant) >= windowMs) first += 1;
    if (last - first + 1 > most) {
      most = last - first + 1;
      from = instants[first];
    }
  }
  return { most, from };
}
