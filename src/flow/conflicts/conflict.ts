/**
 * What the question is about: `key` (one key, two contents), `version` (one order value, two contents), `link` (two
 * claims to one place in the map), `find` (several records at a target carry our reference).
 */
export type ConflictKind = 'key' | 'version' | 'link' | 'find';

/** A recorded question, as it is read back. */
export interface Conflict {
  readonly conflict_id: string;
  readonly kind: ConflictKind;
  readonly subject: string;
  readonly status: 'open' | 'decided';
  readonly system: string | null;
  readonly entity_type: string | null;
  readonly external_id: string | null;
  readonly internal_id: string | null;
  readonly event_id: string | null;
  /** JSON: what a person would choose between. */
  readonly candidates: string;
  readonly created_at: string;
}
