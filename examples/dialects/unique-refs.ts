import type { Collection, StoredRecord } from '../record-store.js';
import type { DialectParts } from './dialect.js';

/** The record that stands in the way of a new one; undefined where references may repeat, and for a repeated create. */
export function holderOfRef(
  { store, settings }: DialectParts,
  collection: Collection,
  ref: string | null,
  idempotencyKey: string | undefined,
): StoredRecord | undefined {
  if (!settings.unique_refs || ref === null || store.createdUnder(collection, idempotencyKey) !== undefined)
    return undefined;
  return store.findByRef(collection, ref)[0];
}
