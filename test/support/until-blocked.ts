import { expect } from '@jest/globals';
import { eventually } from './eventually.js';

/** A database that can be asked what stands still in it. */
interface Asked {
  query<Row extends object>(text: string): Promise<Row[]>;
}

/** Waits until so many connections to the database stand still before a lock that another one holds. */
export async function untilBlocked(database: Asked, connections: number): Promise<void> {
  await eventually(async () =>
    expect(
      await database.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    ).toHaveLength(connections),
  );
}
