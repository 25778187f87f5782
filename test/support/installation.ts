import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { RecordServerClient } from '../../examples/record-server-client.js';
import { startRecordServer } from '../../examples/record-server.js';
import type { RecordServer } from '../../examples/record-server.js';
import { CrosswalkClient } from './crosswalk-client.js';
import { eventually } from './eventually.js';
import { startRecordServerProcess } from './record-server-process.js';
import { startService } from './service-process.js';
import type { ServiceOptions, ServiceProcess } from './service-process.js';
import { createTestDatabase } from './test-database.js';
import type { TestDatabase } from './test-database.js';
import { testRunFolder } from './test-run.js';

/** The credentials that every installation is started with; a contract names the variables that it needs. */
export const CREDENTIALS = {
  CRM_WEBHOOK_SECRET: `whsec_${Buffer.from('a key of thirty-two bytes in all').toString('base64')}`,
  CRM_API_KEY: 'the-key-of-the-crm',
  ERP_API_KEY: 'the-key-of-the-erp',
  WMS_API_KEY: 'the-key-of-the-wms',
} as const;

const ACCESS_KEY = 'cwk_the-key-of-the-tests';

export type Role = NonNullable<ServiceOptions['role']>;

export interface InstallationOptions {
  /** Path from the root of the repository. */
  readonly contract: string;
  /** One process for each. */
  readonly roles: readonly Role[];
  /** Absent: the queues live in PostgreSQL. */
  readonly redisUrl?: string;
  /** Where ERP and WMS run; by default in the process of the test. */
  readonly targets?: 'in this process' | 'in their own processes';
  /** By default only troubles are logged. */
  readonly logLevel?: 'info';
  /** Where the processes find the database, given where it is; by default there. */
  readonly databaseUrl?: (url: string) => string | Promise<string>;
  /** By default a database of the run's PostgreSQL. */
  readonly database?: TestDatabase;
}

/**
 * Crosswalk as it is run: one or more processes on a database and a queue prefix of their own, between a sample ERP and
 * a sample WMS.
 */
export class Installation {
  private constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly database: pg.Pool,
    private readonly stops: (() => Promise<unknown>)[],
    readonly erp: RecordServerClient,
    readonly wms: RecordServerClient,
    private readonly processes: Process[],
  ) {}

  static async start(options: InstallationOptions): Promise<Installation> {
    const database = options.database ?? (await createTestDatabase());
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    // A test may close every connection of the database; the pool opens new ones.
    pool.on('error', () => undefined);
    const [erp, wms] = await Promise.all(SYSTEMS.map((system) => startTarget(system, options.targets)));
    if (erp === undefined || wms === undefined) throw new Error('A sample system did not start.');
    const env = {
      ...CREDENTIALS,
      DATABASE_URL: (await options.databaseUrl?.(database.url)) ?? database.url,
      CROSSWALK_CONFIG: options.contract,
      CROSSWALK_DATA: dataFolder(),
      QUEUE_PREFIX: `test-${randomBytes(6).toString('hex')}`,
      LOG_LEVEL: options.logLevel ?? 'warn',
      ERP_URL: erp.url,
      WMS_URL: wms.url,
      ...(options.redisUrl === undefined ? {} : { REDIS_URL: options.redisUrl }),
    };
    const stops = [() => erp.close(), () => wms.close(), () => pool.end(), () => database.drop()];
    const clients = [new RecordServerClient(erp.url), new RecordServerClient(wms.url)] as const;
    const installation = new Installation(env, pool, stops, ...clients, []);
    try {
      await installation.startProcesses(options.roles);
    } catch (cause) {
      await installation.stop();
      throw cause;
    }
    return installation;
  }

  /** More processes; the last one given is the newest. */
  async startProcesses(roles: readonly Role[]): Promise<void> {
    const starts = await Promise.allSettled(roles.map((role) => startService({ env: this.env, role })));
    starts.forEach((start, at) => {
      const role = roles[at];
      if (start.status === 'fulfilled' && role !== undefined) this.processes.push({ role, service: start.value });
    });
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
  }

  /** One more process, whose environment differs in these variables. */
  async startProcess(role: Role, variables: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const service = await startService({ env: { ...this.env, ...variables }, role });
    this.processes.push({ role, service });
    return service;
  }

  /** Ends this process without warning. */
  async killProcess(service: ServiceProcess): Promise<void> {
    const at = this.processes.findIndex((process) => process.service === service);
    if (at >= 0) this.processes.splice(at, 1);
    await service.kill('SIGKILL');
  }

  /** Ends the newest process without warning, as a power failure would. */
  async killNewestProcess(): Promise<void> {
    await this.processes.pop()?.service.kill('SIGKILL');
  }

  /** Asks the newest process to end; resolves to its exit code. */
  async stopNewestProcess(): Promise<number | undefined> {
    return this.processes.pop()?.service.stop();
  }

  /** A client of the first process with an API, of the second …; after the last one it begins again. */
  client(at = 0): CrosswalkClient {
    const urls = this.processes.filter(({ role }) => role !== 'worker').map(({ service }) => service.url);
    return new CrosswalkClient(urls[at % urls.length] ?? '', ACCESS_KEY);
  }

  /** A client of this very process. */
  clientOf({ url }: ServiceProcess): CrosswalkClient {
    return new CrosswalkClient(url, ACCESS_KEY);
  }

  /** What every process has written. */
  output(): string {
    return this.processes.map(({ service }) => service.output()).join('');
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.database.query<Row>(sql, [...values])).rows;
  }

  /** How many rows a query that begins with FROM has. */
  async count(from: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.query<{ count: string }>(`SELECT count(*) AS count ${from}`, values);
    return Number(row?.count);
  }

  /** Waits until nothing is left to do; dead letters are nobody's work any more. */
  async idle(deadlineMs = 60_000): Promise<void> {
    await eventually(
      async () => {
        const left = await this.query(
          `SELECT kind, topic, status, reject_reason, reject_detail, count(*) AS rows FROM work
            WHERE status <> 'dead' GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3`,
        );
        if (left.length > 0) throw new Error(`There is work left: ${JSON.stringify(left)}`);
      },
      { deadlineMs },
    );
  }

  async stop(): Promise<void> {
    const ends = await Promise.allSettled(this.processes.map(({ service }) => service.stop()));
    for (const stop of this.stops) await stop();
    if (ends.some((end) => end.status === 'rejected' || end.value !== 0)) {
      throw new Error(
        `Not every process ended in order: ${JSON.stringify(ends)}. The last output:\n${this.output().slice(-2_000)}`,
      );
    }
  }
}

const SYSTEMS = ['erp', 'wms'] as const;

function startTarget(system: (typeof SYSTEMS)[number], where: InstallationOptions['targets']): Promise<RecordServer> {
  if (where === 'in their own processes') return startRecordServerProcess(system);
  return startRecordServer({ system, port: 0 });
}

interface Process {
  readonly role: Role;
  readonly service: ServiceProcess;
}

/** A data folder that holds an admin key already, so that processes which start together agree on it. */
function dataFolder(): string {
  const folder = mkdtempSync(join(testRunFolder(), 'data-'));
  writeFileSync(join(folder, 'admin-key'), ACCESS_KEY);
  return folder;
}
