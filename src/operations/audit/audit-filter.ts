import { firstUuidV7 } from '../../domain/ids.js';
import { readCursor, readInstant, readLimit } from '../../platform/http/page-query.js';
import type { AuditFilter } from './audit.sql.js';

type AuditQuery = Readonly<
  Partial<Record<'actor' | 'action' | 'subject' | 'correlation_id' | 'from' | 'to' | 'cursor' | 'limit', string>>
>;

const FIRST_ROW = '00000000-0000-0000-0000-000000000000';
const LAST_ROW = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** @throws SyncError `request.invalid` that names the parameter */
export function readAuditFilter(query: AuditQuery): AuditFilter {
  return {
    actor: query.actor ?? null,
    action: query.action ?? null,
    subject: query.subject ?? null,
    correlation_id: query.correlation_id ?? null,
    from: bound('from', query.from) ?? FIRST_ROW,
    // A page goes from newest to oldest, so the cursor is the tighter upper bound.
    before: readCursor(query.cursor) ?? bound('to', query.to) ?? LAST_ROW,
    limit: readLimit(query.limit),
  };
}

function bound(name: string, text: string | undefined): string | undefined {
  const micros = readInstant(name, text);
  return micros === undefined ? undefined : firstUuidV7(Number(micros / 1000n));
}
