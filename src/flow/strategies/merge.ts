import type { MergedField } from '../../domain/merged-field.js';
import { EMPTY_RECORD } from '../../domain/source-record.js';
import type { Strategy } from './decision.js';
import { absorb } from './merge-rules.js';
import { mergePatchOf } from './patch-places.js';
import { patchRecord, plainData, recordWith } from './patch-record.js';

/**
 * Fields with a rule take the event's share, however late it comes; all others are patched by JSON Merge Patch
 * (RFC 7396), each place where nothing newer was written. A share counts also while the record is deleted, but only
 * an event that is newer than the delete brings the record back.
 */
export const merge: Strategy = (event, current) => {
  const record = current ?? EMPTY_RECORD;
  const merged = new Map<string, MergedField>(record.merged);
  let hasShare = false;
  for (const [field, share] of event.shares) {
    const absorbed = absorb(record.merged.get(field), share, event);
    if (absorbed === 'stale') continue;
    hasShare = true;
    merged.set(field, absorbed);
  }
  const patched = patchRecord(record, event, mergePatchOf(event.fields));
  if (patched === undefined && !hasShare) return { kind: 'stale' };
  const base = patched ?? record;
  return { kind: 'apply', record: recordWith(base, { value: plainData(base), clocks: base.clocks }, merged) };
};
