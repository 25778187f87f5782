import type { InternalId } from '../../domain/ids.js';

/** One link of the map. Without external id it is a pending create. */
export interface Mapping {
  readonly mapping_id: string;
  readonly internal_id: InternalId;
  readonly entity_type: string;
  readonly system: string;
  /** As it is compared. */
  readonly external_id: string | null;
  /** As the system spells it. */
  readonly raw_external_id: string | null;
  readonly role: 'primary' | 'alias';
  readonly state: MappingState;
  readonly created_at: string;
  readonly updated_at: string;
}

/**
 * `linked`, or the state of a pending create: `waiting` for something named, `due`, `creating` (a call is out),
 * `unknown` (nobody knows whether it succeeded), `blocked` (a person must act).
 */
export type MappingState = 'linked' | 'waiting' | 'due' | 'creating' | 'unknown' | 'blocked';

/** What an external id is looked up by. */
export interface MappingKey {
  readonly system: string;
  readonly entity_type: string;
  readonly external_id: string;
}
