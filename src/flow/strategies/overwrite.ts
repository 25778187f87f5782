import type { EntityType } from '../../domain/contract/contract.js';
import type { FieldClock } from '../../domain/field-clock.js';
import { EMPTY_RECORD, type SourceRecord } from '../../domain/source-record.js';
import type { Decision, EventToDecide, Strategy } from './decision.js';
import { keepLater } from './patch-places.js';
import { plainData, recordWith } from './patch-record.js';

type Ties = EntityType['ties'];

/**
 * Only a higher order value replaces the record: versions that arrive late are stale, a repeat changes nothing, and
 * the same version with other content is a conflict, or with `ties: arrival` the later arrival wins. What a patch of
 * the same or a later date wrote is left alone, and so is what merge rules own, so that patches and replacements end
 * in one state whichever comes first.
 */
export function overwriteBy(ties: Ties): Strategy {
  return (event, current) =>
    decideWhole({ event, current, ties, contentHash: event.contentHash }, (record, order) => {
      const held = { value: plainData(record), clocks: record.clocks };
      const place = keepLater(event.fields, held, (clock) => clock.order >= order);
      return recordWith({ ...record, isTombstone: false }, place, record.merged);
    });
}

/**
 * As an overwrite, by an event that says that the thing is gone. The record stays as a tombstone with its order value,
 * so that what is older than it stays without effect; what is newer stands, or brings the record back.
 */
export function deleteBy(ties: Ties): Strategy {
  return (event, current) =>
    decideWhole({ event, current, ties, contentHash: DELETED }, (record, order) => {
      const held = { value: plainData(record), clocks: record.clocks };
      const place = keepLater(undefined, held, (clock: FieldClock) => clock.order > order);
      return recordWith({ ...record, isTombstone: true }, place, record.merged);
    });
}

/** In place of a hash of content; no hash is written so. */
const DELETED = 'deleted';

/** The same content under one order value twice: the later time of the two counts, whichever came first. */
function repeated(current: SourceRecord, occurredAt: bigint | undefined): Decision {
  const held = current.occurredAt;
  if (occurredAt === undefined || (held !== undefined && held >= occurredAt)) return { kind: 'unchanged' };
  return { kind: 'apply', record: { ...current, occurredAt } };
}

interface Whole {
  readonly event: EventToDecide;
  readonly current: SourceRecord | undefined;
  readonly ties: Ties;
  /** What the event says, to tell a repeat from a second truth. */
  readonly contentHash: string;
}

function decideWhole(
  { event, current, ties, contentHash }: Whole,
  replace: (record: SourceRecord, order: bigint) => SourceRecord,
): Decision {
  const { orderValue, occurredAt } = event;
  if (orderValue === undefined) throw new Error('An event without order value came to `overwrite`.');
  const held = current?.orderValue;
  if (held !== undefined && orderValue < held) return { kind: 'stale' };
  if (held === orderValue) {
    if (current?.contentHash === contentHash) return repeated(current, occurredAt);
    if (ties === 'conflict') return { kind: 'conflict' };
  }
  const record = replace(current ?? EMPTY_RECORD, orderValue);
  return { kind: 'apply', record: { ...record, orderValue, occurredAt, contentHash } };
}
