import type { InternalId } from '../../domain/ids.js';

/** A composed entity as it is stored. */
export interface EntityRow {
  readonly internal_id: InternalId;
  readonly entity_type: string;
  readonly revision: bigint;
  /** JSON. */
  readonly data: string;
}

export interface EntityView extends EntityRow {
  readonly created_at: string;
  readonly updated_at: string;
}

/** What one source says about one object, as it is stored. */
export interface RecordRow {
  readonly source: string;
  readonly system: string;
  readonly entity_type: string;
  readonly external_id: string;
  readonly internal_id: InternalId;
  readonly order_value: string | null;
  readonly content_hash: string | null;
  /** JSON. */
  readonly field_clocks: string;
  /** JSON. */
  readonly data: string;
  /** JSON; see `parseReferences`. */
  readonly refs: string | null;
  readonly last_event_id: string;
}
