import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { Log } from '../logging/logger.js';
import { Database } from './database.js';
import { LISTEN_TO_DOORBELL, notifyDoorbell } from './doorbell.sql.js';

export interface DoorbellSettings {
  readonly databaseUrl: string;
  /** Whether this process answers the bell, and so must hear other processes ring. */
  readonly listens: boolean;
}

const RECONNECT_AFTER_MS = 1_000;
const CONNECT_TIMEOUT_MS = 4_000;
const KEEP_ALIVE_DELAY_MS = 10_000;
/** A ring is passed on at once; those that follow within this time become one. Each is a commit of its own. */
const QUIET_MS = 100;

/**
 * Tells workers, in this process and in others, that new work was committed. A ring may be lost (a broken connection,
 * a restart): the sweep finds the work all the same, only later.
 */
@Injectable()
export class Doorbell implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly answers: (() => void)[] = [];
  private isQuiet = false;
  private isRingPending = false;
  private isStopped = false;
  private listener: pg.Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly settings: DoorbellSettings,
    private readonly log: Log,
  ) {}

  /** Called after a commit. Never fails and is not waited for. */
  ring(): void {
    if (this.settings.listens) this.answer();
    else this.notifyOthers();
  }

  onRing(answer: () => void): void {
    this.answers.push(answer);
  }

  onApplicationBootstrap(): void {
    if (this.settings.listens) void this.listen();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.reconnect);
    await this.listener?.end().catch(() => undefined);
  }

  private answer(): void {
    for (const answer of this.answers) answer();
  }

  private notifyOthers(): void {
    this.isRingPending = this.isQuiet;
    if (this.isQuiet) return;
    this.isQuiet = true;
    notifyDoorbell(this.database).catch((error: unknown) => this.log.trouble('Workers were not woken', {}, error));
    setTimeout(() => {
      this.isQuiet = false;
      if (this.isRingPending && !this.isStopped) this.notifyOthers();
    }, QUIET_MS).unref();
  }

  private async listen(): Promise<void> {
    if (this.isStopped) return;
    const client = new pg.Client({
      connectionString: this.settings.databaseUrl,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    });
    this.listener = client;
    client.on('notification', () => this.answer());
    client.on('error', () => undefined);
    client.on('end', () => this.listenAgainLater());
    try {
      await client.connect();
      await client.query(LISTEN_TO_DOORBELL);
      // What was committed while nobody listened is work too.
      this.answer();
    } catch (error) {
      this.log.trouble('Not listening for new work', {}, error);
      await client.end().catch(() => undefined);
      this.listenAgainLater();
    }
  }

  private listenAgainLater(): void {
    if (this.isStopped) return;
    clearTimeout(this.reconnect);
    this.reconnect = setTimeout(() => void this.listen(), RECONNECT_AFTER_MS);
  }
}
