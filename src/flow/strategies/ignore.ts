import type { Json } from '../../domain/json/json.js';
import { EMPTY_RECORD, type FieldClock, type SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide, Strategy } from './decision.js';

/**
 * The first copy is applied; repeats were already recognised by their key, so an event that arrives here is a first
 * copy. Its fields are patched in, each where nothing newer was written.
 */
export const ignoreRepeats: Strategy = (event, current) => {
  const record = current ?? EMPTY_RECORD;
  const data = new Map<string, Json>(record.data);
  const fieldClocks = new Map<string, FieldClock>(record.fieldClocks);
  let isPatched = event.fields.size === 0;
  for (const [field, value] of event.fields) {
    const clock = patchClock(field, event, record);
    if (clock === 'stale') continue;
    isPatched = true;
    data.set(field, value);
    if (clock !== undefined) fieldClocks.set(field, clock);
  }
  if (!isPatched) return { kind: 'stale' };
  return { kind: 'apply', record: { ...record, data, fieldClocks } };
};

/** As above, but the event only counts as seen: nothing of it goes into the record. */
export const ignoreRepeatsApplyNone: Strategy = (_event, current) => ({
  kind: 'apply',
  record: current ?? EMPTY_RECORD,
});

/**
 * What the field is dated after the patch, or `stale` where a later event wrote it. A patch without order value counts
 * as fresh: it is dated like what it replaces, so that the next dated event wins over it.
 */
function patchClock(field: string, event: EventToDecide, record: SourceRecord): FieldClock | undefined | 'stale' {
  const held = record.fieldClocks.get(field);
  const newest = maxOf(record.orderValue, held?.order);
  const order = event.orderValue ?? newest;
  if (order === undefined) return undefined;
  if (newest !== undefined && order < newest) return 'stale';
  const isTie = event.orderValue !== undefined && held !== undefined && order === held.order;
  if (isTie && event.idempotencyKey < held.key) return 'stale';
  return { order, key: event.idempotencyKey };
}

function maxOf(a: bigint | undefined, b: bigint | undefined): bigint | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
