import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { startDatabaseProxy } from '../../support/database-proxy.js';
import type { DatabaseProxy } from '../../support/database-proxy.js';
import { Installation } from '../../support/installation.js';
import { startPostgresServer } from '../../support/postgres-server.js';
import type { PostgresServer } from '../../support/postgres-server.js';
import { startRedisProxy } from '../../support/redis-proxy.js';
import type { RedisProxy } from '../../support/redis-proxy.js';
import { startRedis } from '../../support/redis-server.js';
import type { RedisServer } from '../../support/redis-server.js';
import type { ServiceProcess } from '../../support/service-process.js';

type ProcessRole = 'api' | 'worker';

export interface SiteProcess {
  readonly role: ProcessRole;
  readonly clockSkewMs: number;
  service: ServiceProcess;
}

const FIVE_MINUTES_MS = 300_000;

/** The variables of a process whose wall clock is wrong by so much. */
export function skewedClock(skewMs: number): Readonly<Record<string, string>> {
  if (skewMs === 0) return {};
  const preload = pathToFileURL(join(process.cwd(), 'test', 'support', 'skew-clock.mjs')).href;
  return { NODE_OPTIONS: `--import=${preload}`, CLOCK_SKEW_MS: String(skewMs) };
}

/**
 * Two API and two worker processes on a PostgreSQL and a Redis of their own, each behind a proxy, with a second Redis
 * to fail over to. One process of each role has a clock that is five minutes off.
 */
export class Site {
  private constructor(
    readonly crosswalk: Installation,
    readonly postgres: PostgresServer,
    readonly database: DatabaseProxy,
    readonly redis: RedisProxy,
    readonly redisServers: readonly [RedisServer, RedisServer],
    readonly processes: readonly SiteProcess[],
  ) {}

  static async start(contract: string): Promise<Site> {
    const [postgres, redis, spare] = await Promise.all([startPostgresServer(), startRedis(), startRedis()]);
    const database = await startDatabaseProxy(postgres.url);
    const redisProxy = await startRedisProxy(redis);
    const crosswalk = await Installation.start({
      contract,
      roles: [],
      database: { url: postgres.url, drop: async () => Promise.resolve() },
      databaseUrl: () => database.url,
      redisUrl: redisProxy.url,
      targets: 'in their own processes',
    });
    const processes: SiteProcess[] = [];
    const site = new Site(crosswalk, postgres, database, redisProxy, [redis, spare], processes);
    for (const [role, clockSkewMs] of [
      ['api', 0],
      ['api', FIVE_MINUTES_MS],
      ['worker', 0],
      ['worker', -FIVE_MINUTES_MS],
    ] as const) {
      const service = await crosswalk.startProcess(role, skewedClock(clockSkewMs));
      processes.push({ role, clockSkewMs, service });
    }
    return site;
  }

  of(role: ProcessRole): readonly SiteProcess[] {
    return this.processes.filter((process) => process.role === role);
  }

  /** Ends it without warning, and starts one like it. */
  async killAndRestart(process: SiteProcess): Promise<void> {
    await this.crosswalk.killProcess(process.service);
    process.service = await this.crosswalk.startProcess(process.role, skewedClock(process.clockSkewMs));
  }

  async stop(): Promise<void> {
    await this.crosswalk.stop();
    await this.database.close();
    await this.redis.close();
    await Promise.all([...this.redisServers.map((server) => server.stop()), this.postgres.stop()]);
  }
}
