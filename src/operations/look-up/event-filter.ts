import { firstUuidV7 } from '../../domain/ids.js';
import { SyncError } from '../../domain/sync-error.js';
import { readCursor, readInstant, readLimit } from '../../platform/http/page-query.js';
import type { EventFilter } from './look-up.sql.js';

export const EVENT_QUERY = [
  'idempotency_key',
  'correlation_id',
  'event_type',
  'source',
  'entity',
  'status',
  'from',
  'to',
  'cursor',
  'limit',
] as const;

type EventQuery = Readonly<Partial<Record<(typeof EVENT_QUERY)[number], string>>>;

const STATUSES = ['RECEIVED', 'PROCESSING', 'COMPLETED', 'FAILED', 'PARKED', 'DEAD'];
const FIRST_EVENT = '00000000-0000-0000-0000-000000000000';
const LAST_EVENT = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** @throws SyncError `request.invalid` that names the parameter */
export function readEventFilter(query: EventQuery): Omit<EventFilter, 'event_ids'> {
  const { status } = query;
  if (status !== undefined && !STATUSES.includes(status)) {
    throw new SyncError('request.invalid', `\`status\` is one of ${STATUSES.join(', ')}.`);
  }
  // A page goes from newest to oldest, so the cursor is the tighter upper bound.
  const before = readCursor(query.cursor) ?? bound('to', query.to) ?? LAST_EVENT;
  return {
    correlation_id: query.correlation_id ?? null,
    source: query.source ?? null,
    event_type: query.event_type ?? null,
    status: status ?? null,
    from: bound('from', query.from) ?? FIRST_EVENT,
    before,
    limit: readLimit(query.limit),
  };
}

function bound(name: string, text: string | undefined): string | undefined {
  const micros = readInstant(name, text);
  return micros === undefined ? undefined : firstUuidV7(Number(micros / 1000n));
}
