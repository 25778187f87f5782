import pg from 'pg';

/** Locks that somebody else holds, as a frozen process or a person with an open transaction would. */
export interface HeldLock {
  /** Rolls the transaction back and closes its connection. */
  release(): Promise<void>;
}

/** Runs statements in a transaction that stays open. */
export async function holdLock(databaseUrl: string, statement: string, values: unknown[] = []): Promise<HeldLock> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement, values);
  return {
    release: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}
