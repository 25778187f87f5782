import { randomBytes } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { createApp } from '../../src/create-app.js';
import type { Contract } from '../../src/domain/contract/contract.js';
import { Database } from '../../src/platform/database/database.js';
import { Log } from '../../src/platform/logging/logger.js';

/**
 * The workers of one process, running inside the process of a suite: lanes, sweeps and queues as in production. The
 * HTTP side is not among them: jest cannot load the package that serves the page at `/docs`, so the suites about HTTP
 * start a process of their own.
 */
export interface RunningWorkers {
  readonly database: Database;
  get<Service>(service: Type<Service> | string): Service;
  close(): Promise<void>;
}

export interface WorkersOptions {
  readonly contract: Contract;
  readonly databaseUrl: string;
  /** Absent: the queues live in PostgreSQL. */
  readonly redisUrl: string | undefined;
}

export async function runWorkers({ contract, databaseUrl, redisUrl }: WorkersOptions): Promise<RunningWorkers> {
  const app = await createApp({
    contract,
    contractNumber: 1,
    log: new Log('silent'),
    role: 'worker',
    databaseUrl,
    redisUrl,
    queuePrefix: `test-${randomBytes(6).toString('hex')}`,
    requestTimeoutMs: 30_000,
    accessKeys: [],
  });
  await app.init();
  return {
    database: app.get(Database, { strict: false }),
    get: (service) => app.get(service, { strict: false }),
    close: async () => app.close(),
  };
}
