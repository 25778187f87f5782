import { randomBytes } from 'node:crypto';
import type { Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import type { Contract } from '../../src/domain/contract/contract.js';
import { Database } from '../../src/platform/database/database.js';
import { Log } from '../../src/platform/logging/logger.js';

/**
 * The services of one process as the application wires them, with a connection pool of their own. Nothing is started:
 * no sweep, no worker and no bell does anything before the test does it. Two of them are two processes.
 */
export interface WiredServices {
  readonly database: Database;
  get<Service>(service: Type<Service>): Service;
  close(): Promise<void>;
}

export async function wireServices(
  contract: Contract,
  databaseUrl: string,
  contractNumber = 1,
): Promise<WiredServices> {
  const settings = {
    contract,
    contractNumber,
    log: new Log('silent'),
    role: 'all' as const,
    databaseUrl,
    redisUrl: undefined,
    queuePrefix: `test-${randomBytes(6).toString('hex')}`,
    requestTimeoutMs: 30_000,
    accessKeys: [],
  };
  const module = await Test.createTestingModule({ imports: [AppModule.for(settings)] })
    // Closing reports that the workers of the queues were never started, which is what is wanted here.
    .setLogger(settings.log)
    .compile();
  return {
    database: module.get(Database, { strict: false }),
    get: (service) => module.get(service, { strict: false }),
    close: async () => module.close(),
  };
}
