/** What one run of the load generator does; handed to it as JSON in its first argument. */
export interface LoadPlan {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly warmUpSeconds: number;
  readonly measureSeconds: number;
  /** How many of ten requests repeat an event that was sent shortly before. */
  readonly copiesOfTen: number;
}

/** What the load generator measured; printed by it as one JSON line. */
export interface LoadResult {
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Share of one core that the generator itself used while it measured. */
  readonly generatorCores: number;
}
