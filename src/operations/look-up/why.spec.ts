import { describe, expect, test } from '@jest/globals';
import type { EventListRow } from './look-up.sql.js';
import { why } from './why.js';

function row(changes: Partial<EventListRow>): EventListRow {
  const nothing = {
    ...{ event_id: 'e', source: 'crm', event_type: 'order.paid', idempotency_key: 'k', correlation_id: 'p' },
    ...{ system: 'crm', entity_type: 'order', external_id: 'O-1', version: null, occurred_at: null, received_at: '' },
    ...{ conflicts_with: null, contract: 1, deciding_contract: 1, internal_id: null, revision: null },
    ...{ work_status: null, reject_reason: null, reject_detail: null, next_retry_time: null },
    ...{ waits_for: null, waits_states: null, wait_until: null, outcome: null, code: null, detail: null },
  };
  return { ...nothing, ...changes };
}

describe('why', () => {
  test.each<[Partial<EventListRow>, string]>([
    [{ work_status: 'due' }, 'It is remembered and waits for a worker.'],
    [{ work_status: 'processing' }, 'A worker is deciding it at this moment.'],
    [
      { work_status: 'due', reject_reason: 'event.undecidable', reject_detail: 'No luck', next_retry_time: '12:00Z' },
      'The last attempt failed. No luck. The next one is due at 12:00Z.',
    ],
    [
      {
        work_status: 'waiting',
        reject_reason: 'state.not_reached',
        reject_detail: 'The order is in CREATED; PAID has to come first.',
        wait_until: '13:00Z',
      },
      'It waits and spends no attempt. The order is in CREATED; PAID has to come first. It is given up if that does not happen by 13:00Z.',
    ],
    [
      { work_status: 'dead', reject_reason: 'work.poison' },
      'It was given up, and nobody works on it any more. The work ended its worker again and again.',
    ],
    [
      { outcome: 'applied', revision: 4n, detail: 'The order is in PAYING and moves to PAID.' },
      'It was applied and made revision 4 of its entity. The order is in PAYING and moves to PAID.',
    ],
    [
      { outcome: 'unchanged', code: 'content.unchanged' },
      'It changed nothing. The content was already what the event says.',
    ],
    [
      {
        outcome: 'stale',
        code: 'version.stale',
        detail: 'By version it is older than event f, which was applied before.',
      },
      'It is stale: it was accepted and has no effect. By version it is older than event f, which was applied before.',
    ],
    [
      { outcome: 'refused', code: 'transition.refused', detail: 'No way leads there.' },
      'It was refused: it was accepted and changes nothing. No way leads there.',
    ],
    [
      { outcome: 'conflict', code: 'key.conflict', conflicts_with: 'f' },
      'It was put before a person as a conflict: event f used its key first. The idempotency key was already used for other content.',
    ],
    [{ outcome: 'discarded', detail: 'ops: a test order' }, 'It ended as discarded. ops: a test order.'],
  ])('%j', (changes, words) => {
    expect(why(row(changes))).toBe(words);
  });
});
