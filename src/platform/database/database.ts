import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { isDatabaseError } from './database-fault.js';

/** Somewhere a statement can run: a transaction, or the database itself, where each statement commits alone. */
export interface Tx {
  query<Row>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
}

/**
 * The connection pool of the data source. Statements are static texts and are prepared once per connection; rows come
 * back as PostgreSQL gave them, without an ORM in between.
 */
@Injectable()
export class Database implements Tx {
  constructor(private readonly dataSource: DataSource) {}

  async query<Row>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    const result = await this.pool.query(prepared(statement, values));
    return result.rows as Row[];
  }

  /** Runs `work` in one transaction. When it throws, everything is rolled back and the error goes on. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    // Read committed, whatever the role's default is: a loser must see the winner in its next statement.
    return this.between('BEGIN ISOLATION LEVEL READ COMMITTED', work);
  }

  /** Runs reads that all see one moment, so that an answer made of several of them does not contradict itself. */
  snapshot<T>(read: (tx: Tx) => Promise<T>): Promise<T> {
    return this.between('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', read);
  }

  /** Calls `told` whenever a connection was made, before any statement runs over it, and whenever one was lost. */
  onConnectionChange(told: () => void): void {
    this.pool.on('connect', told);
    this.pool.on('remove', told);
  }

  private async between<T>(begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    // A connection that ends between two statements tells so by an event; without a listener it ends the process.
    const onLost = (error: Error): void => {
      // The first one says why; after it comes only that the connection is gone.
      broken ??= error;
    };
    client.on('error', onLost);
    try {
      await client.query(begin);
      const result = await work(transactionOn(client));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // A statement on a connection that was lost before says only that it was; why stands in what came then.
      const cause = broken !== undefined && isDatabaseError(error) ? broken : error;
      await client.query('ROLLBACK').catch((reason: unknown) => {
        broken = reason instanceof Error ? reason : new Error(String(reason));
      });
      throw cause;
    } finally {
      // A connection that could not even roll back is closed, and with it its transaction and its locks.
      client.off('error', onLost);
      client.release(broken);
    }
  }

  private get pool(): Pool {
    return (this.dataSource.driver as unknown as { readonly master: Pool }).master;
  }
}

function transactionOn(client: PoolClient): Tx {
  return {
    async query<Row>(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
      const result = await client.query(prepared(statement, values));
      return result.rows as Row[];
    },
  };
}

const names = new Map<string, string>();

function prepared(statement: string, values: readonly unknown[]): { name: string; text: string; values: unknown[] } {
  let name = names.get(statement);
  if (name === undefined) {
    name = createHash('sha256').update(statement).digest('hex').slice(0, 24);
    names.set(statement, name);
  }
  return { name, text: statement, values: [...values] };
}
