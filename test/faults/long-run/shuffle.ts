/** Whole numbers from 0 up to below `limit`. */
export type Random = (limit: number) => number;

/** The same items in an order that the random numbers decide. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const keyed = items.map((item) => ({ item, key: random(1_000_000_000) }));
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
}

export function oneOf<T>(items: readonly T[], random: Random): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('One of nothing.');
  return item;
}
