/** One thing measured on both sides, once per round. */
export interface Measured {
  readonly name: string;
  readonly better: 'more' | 'less';
  readonly crosswalk: readonly number[];
  readonly blogPost: readonly number[];
  /** The ratio that Crosswalk must reach at least. */
  readonly target?: number;
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export interface Comparison {
  readonly name: string;
  readonly better: 'more' | 'less';
  readonly crosswalk: Spread;
  readonly blogPost: Spread;
  /** Crosswalk divided by the blog-post way: of the medians, and the extremes of the rounds. */
  readonly ratio: Spread;
  readonly target?: { readonly ratio: number; readonly isReached: boolean };
}

/** Compares both sides. The rounds stand in pairs: each ratio is of two turns that ran one after the other. */
export function compare(measured: Measured): Comparison {
  const crosswalk = spreadOf(measured.crosswalk);
  const blogPost = spreadOf(measured.blogPost);
  const perRound = spreadOf(measured.crosswalk.map((value, round) => value / (measured.blogPost[round] ?? Number.NaN)));
  const ratio = { ...perRound, median: crosswalk.median / blogPost.median };
  const { name, better, target } = measured;
  if (target === undefined) return { name, better, crosswalk, blogPost, ratio };
  return { name, better, crosswalk, blogPost, ratio, target: { ratio: target, isReached: ratio.median >= target } };
}

export function spreadOf(values: readonly number[]): Spread {
  const ascending = [...values].sort((a, b) => a - b);
  const upper = ascending[Math.floor(ascending.length / 2)] ?? Number.NaN;
  const lower = ascending[Math.ceil(ascending.length / 2) - 1] ?? Number.NaN;
  return { median: (lower + upper) / 2, min: Math.min(...values), max: Math.max(...values) };
}
