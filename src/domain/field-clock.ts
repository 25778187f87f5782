export interface FieldClock {
  readonly order: bigint;
  /** Idempotency key and event type of the writer: breaks ties the same way everywhere. */
  readonly key: string;
  /** When the writer's event happened, where it said so: microseconds since 1970. */
  readonly at?: bigint;
}

/** When a place was last written, and when the places below it were, where that was later. */
export interface ClockTree {
  /** The last write of the whole value. */
  readonly written?: FieldClock;
  /** The last statement that an object stands here, whatever is in it. */
  readonly opened?: FieldClock;
  readonly members: ReadonlyMap<string, ClockTree>;
}

export const NO_CLOCKS: ClockTree = { members: new Map() };

export function hasClocks({ written, opened, members }: ClockTree): boolean {
  return written !== undefined || opened !== undefined || members.size > 0;
}

/** The later of two writes wins; keys break the tie. The same writer counts as later than itself. */
export function isLater(one: FieldClock, other: FieldClock): boolean {
  return one.order === other.order ? one.key >= other.key : one.order > other.order;
}

/** The latest of all clocks in the tree. */
export function latestIn({ written, opened, members }: ClockTree): FieldClock | undefined {
  return [written, opened, ...[...members.values()].map(latestIn)].reduce(laterOf, undefined);
}

export function laterOf(one: FieldClock | undefined, other: FieldClock | undefined): FieldClock | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isLater(one, other) ? one : other;
}
