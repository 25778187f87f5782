import type { PoolConfig } from 'pg';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { ALL_MIGRATIONS } from '../../../migrations/all-migrations.js';

export interface DataSourceSettings {
  readonly url: string;
  /** Shortest lease that anything takes: a frozen transaction must end well before it does. */
  readonly leaseMs: number;
  readonly poolSize?: number;
}

/** A blocked statement gives up after this, so that one frozen process cannot stop the others. */
const LOCK_TIMEOUT_MS = 2_000;
/** A statement that runs longer is broken; a migration sets its own limit. */
const STATEMENT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 4_000;
const ANSWER_GRACE_MS = 5_000;
const KEEP_ALIVE_DELAY_MS = 10_000;

export function dataSourceOptions({ url, leaseMs, poolSize = 12 }: DataSourceSettings): DataSourceOptions {
  const idleMs = Math.max(100, Math.min(10_000, Math.floor(leaseMs / 5)));
  const extra: PoolConfig = {
    options: [
      `-c lock_timeout=${String(LOCK_TIMEOUT_MS)}`,
      `-c statement_timeout=${String(STATEMENT_TIMEOUT_MS)}`,
      `-c idle_in_transaction_session_timeout=${String(idleMs)}`,
      '-c timezone=UTC',
    ].join(' '),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A server that vanished without a word answers nothing, its own time-outs included.
    query_timeout: STATEMENT_TIMEOUT_MS + ANSWER_GRACE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: COLUMN_TYPES,
  };
  return {
    type: 'postgres',
    url,
    poolSize,
    applicationName: 'crosswalk',
    extra,
    migrations: ALL_MIGRATIONS,
    migrationsTableName: 'migrations',
    // The pool replaces a broken connection by itself; who waited for it has already been told.
    poolErrorHandler: () => undefined,
  };
}

export function newDataSource(settings: DataSourceSettings): DataSource {
  return new DataSource(dataSourceOptions(settings));
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** `bigint` columns become bigint, and instants RFC 3339 text in UTC with their microseconds, which a Date would cut. */
const COLUMN_TYPES: PoolConfig['types'] = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown => {
    if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
    if (oid === INT8) return (text: string) => BigInt(text);
    if (oid === TIMESTAMPTZ) return readTimestamp;
    return pg.types.getTypeParser(oid, 'text');
  },
};

/** `2026-01-02 03:04:05.678+00`, as PostgreSQL prints it in UTC. */
function readTimestamp(text: string): string {
  return text.replace(' ', 'T').replace(/\+00$/, 'Z');
}
