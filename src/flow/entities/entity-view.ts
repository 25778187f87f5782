import type { InternalId } from '../../domain/ids.js';

/** A composed entity as it is stored. */
export interface EntityRow {
  readonly internal_id: InternalId;
  readonly entity_type: string;
  readonly revision: bigint;
  /** JSON. */
  readonly data: string;
  /** It has records, and all of them are deleted. */
  readonly is_deleted: boolean;
  readonly state: string | null;
  /** JSON; see `readPath`. */
  readonly path: string | null;
}

export interface EntityView extends EntityRow {
  /** Null: no event has moved it. */
  readonly state: string | null;
  /** JSON; see `readPath`. */
  readonly path: string | null;
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
  readonly occurred_at_micros: string | null;
  readonly content_hash: string | null;
  /** The last event about the whole record said that the thing is gone. */
  readonly is_tombstone: boolean;
  /** JSON: field → clock of the whole field, and clocks of the places below it. */
  readonly field_clocks: string;
  /** JSON: clock of the newest event that said nothing but that the thing exists. */
  readonly existence_clock: string | null;
  /** JSON: field → what its merge rule remembers. */
  readonly merged: string;
  /** JSON. */
  readonly data: string;
  /** JSON; see `parseReferences`. */
  readonly refs: string | null;
  readonly last_event_id: string;
}

export interface RecordView extends RecordRow {
  /** Its source says that the thing is gone, and has said nothing newer. */
  readonly is_deleted: boolean;
}
