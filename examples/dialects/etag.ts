import { headerOf, type SystemRequest } from '../answer.js';
import type { StoredRecord } from '../record-store.js';
import type { DialectParts } from './dialect.js';

/** Names one state of one record. */
export function etagOf(record: StoredRecord): string {
  return `W/"${record.revision}"`;
}

/** 412 where the caller has seen an older state, 428 where it has to say what it has seen; undefined where it may write. */
export function failedPrecondition(
  { settings }: DialectParts,
  request: SystemRequest,
  record: StoredRecord,
): 412 | 428 | undefined {
  const seen = headerOf(request.headers, 'if-match');
  if (seen === undefined) return settings.require_if_match ? 428 : undefined;
  return seen === '*' || seen === etagOf(record) ? undefined : 412;
}
