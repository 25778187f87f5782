import { EMPTY_RECORD } from '../../domain/source-record.js';
import type { Strategy } from './decision.js';
import { patchOfFields } from './patch-places.js';
import { patchRecord } from './patch-record.js';

/**
 * The first copy is applied; repeats were already recognised by their key, so an event that arrives here is a first
 * copy. Its fields are patched in, each as a whole and where nothing newer was written.
 */
export const ignoreRepeats: Strategy = (event, current) => {
  const record = patchRecord(current ?? EMPTY_RECORD, event, patchOfFields(event.fields));
  return record === undefined ? { kind: 'stale' } : { kind: 'apply', record };
};

/** As above, but the event only counts as seen: nothing of it goes into the record. */
export const ignoreRepeatsApplyNone: Strategy = (_event, current) => ({
  kind: 'apply',
  record: current ?? EMPTY_RECORD,
});
