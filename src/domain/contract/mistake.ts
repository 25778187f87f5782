/** Where something stands in the file; both numbers count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/**
 * One thing that keeps a contract from being used. `unset_environment` is no fault of the file: the variable that it
 * names has no value here, which matters when serving and is a warning where a file is only checked. A `warning` keeps
 * it from nothing.
 */
export interface Mistake extends Position {
  readonly kind: 'mistake' | 'unset_environment' | 'warning';
  /** Such as `systems.crm.ingest.auth` or `events["customer.updated"].strategy`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong, what was expected, and the nearest known word; never the value of a secret. */
  readonly message: string;
}
