import type { WorkKind } from './work.sql.js';

/** Work that was given up on and waits for a person. */
export interface DeadLetter {
  readonly kind: WorkKind;
  /** The key of the work, which is also how people name the letter: an event's id, or `target:internal id`. */
  readonly key: string;
  /** A source, or a target. */
  readonly topic: string;
  /** Of an event. */
  readonly event_id: string | null;
  /** Of a delivery. */
  readonly internal_id: string | null;
  readonly reject_reason: string | null;
  readonly reject_detail: string | null;
  readonly failure_class: string | null;
  readonly retry_count: number;
  readonly dead_at: string;
  readonly wake: bigint;
  readonly fence: bigint;
}

/** Another one for every death of one piece of work, so that nobody acts on a letter that they have not seen. */
export function letterTag({ wake, fence }: Pick<DeadLetter, 'wake' | 'fence'>): string {
  return `"${String(wake)}-${String(fence)}"`;
}
