import { createServer } from 'node:net';
import type { AccessKey, Contract } from './domain/contract/contract.js';
import { createApp } from './create-app.js';
import { activateAtStart } from './operations/contracts/activate-at-start.js';
import { readEnvironment, type Environment } from './platform/config/environment.js';
import { firstAdminKey } from './platform/config/first-admin-key.js';
import { loadContract, type LoadedContract } from './platform/config/load-contract.js';
import { isSampleContract, sampleSecrets } from './platform/config/sample-secrets.js';
import { explainUnreachable } from './platform/database/explain-unreachable.js';
import { migrate } from './platform/database/migrate.js';
import { openPostgres } from './platform/database/open-postgres.js';
import { withDatabase } from './platform/database/with-database.js';
import { Log } from './platform/logging/logger.js';
import { checkRedis } from './platform/queues/redis-policy.js';

const GRACE_MS = 30_000;

await start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
  // Whatever was started half-way must not keep a process alive that serves nothing.
  setTimeout(() => process.exit(1), 1_000).unref();
});

async function start(): Promise<void> {
  const environment = readEnvironment(process.env);
  const log = new Log(environment.LOG_LEVEL);
  await checkPortIsFree(environment);
  const { contract, text } = await readServedContract(environment);
  const accessKeys = await furtherAccessKeys(contract, environment);
  const postgres = await openPostgres(environment, (progress) => {
    console.log(progress);
  });
  try {
    await migrate(postgres.url).catch(explainUnreachable);
    if (environment.REDIS_URL !== undefined) await checkRedis(environment.REDIS_URL, log);
    const contractNumber = await withDatabase(postgres.url, (database) =>
      activateAtStart(database, environment.CROSSWALK_CONFIG, text),
    );
    const app = await createApp({
      contract,
      contractNumber,
      log,
      role: environment.ROLE,
      databaseUrl: postgres.url,
      redisUrl: environment.REDIS_URL,
      queuePrefix: environment.QUEUE_PREFIX,
      requestTimeoutMs: environment.REQUEST_TIMEOUT_SECONDS * 1_000,
      accessKeys,
    });
    await app.listen(environment.PORT, environment.HOST);
    stopOnSignals(async () => {
      await app.close();
      await postgres.stop();
    }, log);
    const documentation = environment.ROLE === 'worker' ? '' : '; documentation at /docs';
    console.log(`Crosswalk serves ${await app.getUrl()} (${environment.ROLE})${documentation}`);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function readServedContract(environment: Environment): Promise<LoadedContract> {
  const { CROSSWALK_CONFIG: file, CROSSWALK_DATA: dataFolder } = environment;
  const drawn = isSampleContract(file) ? await sampleSecrets(dataFolder) : {};
  // An empty variable counts as absent: that is what `NAME= npm start` means.
  return loadContract(file, (name) => (process.env[name] === '' ? undefined : process.env[name]) ?? drawn[name]);
}

async function furtherAccessKeys(contract: Contract, environment: Environment): Promise<readonly AccessKey[]> {
  if (contract.accessKeys.length > 0) return [];
  const { key, file, isNew } = await firstAdminKey(environment.CROSSWALK_DATA);
  if (isNew) console.log(`The contract names no access key. An admin key was made, shown only this once: ${key}`);
  console.log(`The admin key is kept in ${file}`);
  return [{ name: 'first-admin', role: 'admin', key }];
}

/**
 * Looks before anything is started: a service that cannot be reached must not begin to work.
 *
 * @throws Error that names the port and the way out
 */
async function checkPortIsFree({ PORT, HOST }: Environment): Promise<void> {
  const probe = createServer();
  const taken = await new Promise<Error | undefined>((resolve) => {
    probe.once('error', resolve);
    probe.listen(PORT, HOST, () => {
      resolve(undefined);
    });
  });
  if (taken === undefined) {
    await new Promise((resolve) => probe.close(resolve));
  } else if ('code' in taken && taken.code === 'EADDRINUSE') {
    throw new Error(`Port ${String(PORT)} is taken. Stop what listens there, or choose another: PORT=3001 npm start`);
  } else {
    throw new Error(`Crosswalk cannot listen on ${HOST}:${String(PORT)} (${taken.message}). Change HOST or PORT.`);
  }
}

/** The first signal ends the work in hand and closes; a second one, or the end of the grace time, ends at once. */
function stopOnSignals(close: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) return;
    isStopping = true;
    log.notice('Stopping', { signal });
    setTimeout(() => {
      log.trouble('The grace time is over; what was in hand comes back when its lease ends', {});
      process.exit(1);
    }, GRACE_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fault('Stopping failed', {}, error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
