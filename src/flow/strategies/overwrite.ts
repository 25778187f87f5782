import type { Json } from '../../domain/json/json.js';
import type { FieldClock } from '../../domain/source-record.js';
import type { Strategy } from './decision.js';

/**
 * Only a higher order value replaces the record: versions that arrive late are stale, a repeat changes nothing, and
 * the same version with other content is a conflict. Fields that a patch of the same or a later date wrote are left
 * alone, so that patches and replacements end in one state whichever comes first.
 */
export const overwrite: Strategy = (event, current) => {
  if (event.orderValue === undefined) throw new Error('An event without order value came to `overwrite`.');
  const held = current?.orderValue;
  if (held !== undefined && event.orderValue < held) return { kind: 'stale' };
  if (held === event.orderValue) {
    return current?.contentHash === event.contentHash ? { kind: 'unchanged' } : { kind: 'conflict' };
  }
  const data = new Map<string, Json>(event.fields);
  const fieldClocks = new Map<string, FieldClock>();
  for (const [field, clock] of current?.fieldClocks ?? []) {
    const patched = current?.data.get(field);
    if (clock.order < event.orderValue || patched === undefined) continue;
    data.set(field, patched);
    fieldClocks.set(field, clock);
  }
  const { orderValue, contentHash } = event;
  return { kind: 'apply', record: { data, orderValue, contentHash, fieldClocks } };
};
