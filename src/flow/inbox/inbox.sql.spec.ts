import { describe, expect, test } from '@jest/globals';
import type { EventId } from '../../domain/ids.js';
import { insertEvents, type EventRow } from './inbox.sql.js';

describe('insertEvents', () => {
  /** As far as the order goes. */
  const row = (scope: string, key: string, eventId: string): EventRow =>
    ({ scope, key, event_id: eventId as EventId }) as EventRow;

  test('hands over its rows by scope and key, and copies in the order of their arrival', async () => {
    const sent: EventRow[] = [];
    const tx = {
      query: <Row>(_statement: string, [rows]: readonly unknown[] = []): Promise<Row[]> => {
        sent.push(...(JSON.parse(String(rows)) as EventRow[]));
        return Promise.resolve([]);
      },
    };
    const rows = [row('b', '1', 'v'), row('a', 'é', 'w'), row('a', 'z', 'x'), row('a', 'Z', 'y'), row('a', 'z', 'z')];
    expect(await insertEvents(tx, rows, 1)).toEqual(new Set());
    expect(sent.map(({ event_id }) => event_id)).toEqual(['y', 'x', 'z', 'w', 'v']);
  });
});
