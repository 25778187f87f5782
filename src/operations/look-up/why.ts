import { CODES, type Code } from '../../domain/sync-error.js';
import { eventStanding } from '../../flow/inbox/event-standing.js';
import type { EventListRow } from './look-up.sql.js';

/** In words for a person: what became of an event, why, and what happens next. */
export function why(row: EventListRow): string {
  const { status, outcome, code } = eventStanding(row);
  const reason = reasonOf(row, code);
  switch (status) {
    case 'RECEIVED':
      return 'It is remembered and waits for a worker.';
    case 'PROCESSING':
      return 'A worker is deciding it at this moment.';
    case 'FAILED':
      return `The last attempt failed. ${reason} The next one is due at ${row.next_retry_time ?? 'once'}.`;
    case 'PARKED':
      return `It waits and spends no attempt. ${reason} It is given up if that does not happen by ${row.wait_until ?? 'its deadline'}.`;
    case 'DEAD':
      return `It was given up, and nobody works on it any more. ${reason}`;
    case 'COMPLETED':
      return `${endingWords(outcome, row)} ${reason}`.trim();
  }
}

function endingWords(outcome: string | undefined, { revision, conflicts_with: first }: EventListRow): string {
  switch (outcome) {
    case 'applied':
      return `It was applied${revision === null ? '' : ` and made revision ${String(revision)} of its entity`}.`;
    case 'unchanged':
      return 'It changed nothing.';
    case 'stale':
      return 'It is stale: it was accepted and has no effect.';
    case 'refused':
      return 'It was refused: it was accepted and changes nothing.';
    case 'conflict':
      return first === null
        ? 'It was put before a person as a conflict.'
        : `It was put before a person as a conflict: event ${first} used its key first.`;
    default:
      return outcome === undefined ? '' : `It ended as ${outcome}.`;
  }
}

/** What was written down when it was decided, or what its code means. */
function reasonOf({ reject_detail, detail }: EventListRow, code: string | undefined): string {
  const written = reject_detail ?? detail;
  if (written !== null) return /[.!?]$/.test(written) ? written : `${written}.`;
  return code === undefined || !isCode(code) ? '' : `${CODES[code].title}.`;
}

function isCode(code: string): code is Code {
  return code in CODES;
}
