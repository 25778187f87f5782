import type { NormalizeStep } from './contract.js';
import type { Position } from './mistake.js';

/**
 * What a difference between two contracts is about. All but `other` decide what is one fact, one record, the newer
 * state, the sum of states or the way of an entity, and therefore contradict what is stored under the former contract.
 */
export type ChangeKind =
  | 'key_template'
  | 'event_type'
  | 'id_template'
  | 'scope'
  | 'normalization'
  | 'order'
  | 'merge_rule'
  | 'state'
  | 'other';

/** One difference between two contracts. */
export interface ContractChange {
  readonly kind: ChangeKind;
  /** Where it stands, such as `events["order.paid"].scope.shared`; in the former contract where it was taken away. */
  readonly path: string;
  /** In the newer contract; absent where it was taken away. */
  readonly position?: Position;
  /** As written, collections as JSON; absent where nothing stood. */
  readonly before?: string;
  readonly after?: string;
  /** What was stored under the former contract and no longer fits if there is any; absent: no danger. */
  readonly endangers?: Stored;
}

/** A difference that contradicts what is stored, if there is any. */
export type DangerousChange = ContractChange & { readonly endangers: Stored };

/** Rows that were stored under the former contract. */
export type Stored =
  /** Idempotency keys in these rooms (see `keyScope`). */
  | { readonly kind: 'keys'; readonly scopes: readonly string[] }
  /** External ids of a system, of one entity type where it is known; `normalize`: how they would be spelt from now. */
  | {
      readonly kind: 'ids';
      readonly system: string;
      readonly entityType?: string;
      readonly normalize?: readonly NormalizeStep[];
    }
  /** Records of an entity type, each with the order value of what it holds. */
  | { readonly kind: 'records'; readonly entityType: string }
  /** Records of an entity type that hold what a merge rule remembers of a field. */
  | { readonly kind: 'merged'; readonly entityType: string; readonly field: string }
  /** Entities of a type that are in a state. */
  | { readonly kind: 'state'; readonly entityType: string; readonly state: string };
