import type { Data } from './expected-world.js';

/** What was found when all was done, as plain values. */
export interface ObservedWorld {
  /** One for each event that was accepted. */
  readonly events: readonly {
    readonly key: string;
    /** How often its effect was recorded. */
    readonly ends: number;
    readonly status: string;
  }[];
  /** One for each id by which the CRM knows something. */
  readonly entities: readonly ObservedEntity[];
  readonly records: readonly ObservedRecord[];
  /** Questions that only a person may decide. */
  readonly conflicts: readonly string[];
}

export interface ObservedEntity {
  readonly type: string;
  readonly externalId: string;
  readonly internalId: string;
  readonly data: Data | undefined;
  readonly isDeleted: boolean;
  readonly path: readonly string[] | undefined;
  /** Target → the id under which the entity is linked there. */
  readonly linkedAs: Readonly<Record<string, string>>;
}

/** A record that stands at a target. */
export interface ObservedRecord {
  readonly target: string;
  readonly id: string;
  /** The internal id that we sent. */
  readonly ref: string | null;
  readonly data: Data;
}
