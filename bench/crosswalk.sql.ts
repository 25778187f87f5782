import type pg from 'pg';

/** Whether any event still waits for its processing, is being processed, or was given up. */
export async function hasOpenEvents(db: pg.Client): Promise<boolean> {
  const result = await db.query<{ open: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM work WHERE work.kind = 'event') AS open`,
  );
  return result.rows[0]?.open ?? false;
}

/** What the open events wait for, in words for an error message. */
export async function describeOpenEvents(db: pg.Client): Promise<string> {
  const result = await db.query<{ status: string; reason: string | null; events: string }>(
    `SELECT work.status, work.reject_reason AS reason, count(*) AS events
       FROM work WHERE work.kind = 'event' GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 5`,
  );
  return result.rows.map((row) => `${row.events} ${row.status} (${row.reason ?? 'no reason'})`).join(', ');
}

/** How many events have reached COMPLETED. */
export async function countCompletedEvents(db: pg.Client): Promise<number> {
  const result = await db.query<{ events: number }>(
    `SELECT count(DISTINCT trace.event_id)::int AS events FROM trace WHERE trace.status = 'COMPLETED'`,
  );
  return result.rows[0]?.events ?? 0;
}

/** The database's clock, by which events and trace rows are dated. */
export async function databaseTime(db: pg.Client): Promise<Date> {
  const result = await db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  return result.rows[0]?.now ?? new Date();
}

/** The median time from receipt to COMPLETED, in ms, of the events received since an instant; NaN without any. */
export async function medianReceiptToCompletedMs(db: pg.Client, since: Date): Promise<number> {
  const result = await db.query<{ median: number | null }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM trace.at - events.received_at) * 1000)
              ::float8 AS median
       FROM events
       JOIN trace ON trace.event_id = events.event_id AND trace.status = 'COMPLETED'
      WHERE events.received_at >= $1`,
    [since],
  );
  return result.rows[0]?.median ?? Number.NaN;
}
