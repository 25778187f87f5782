import { randomBytes } from 'node:crypto';
import { Test } from '@nestjs/testing';
import { expect } from '@jest/globals';
import { AppModule } from '../../src/app.module.js';
import type { Contract } from '../../src/domain/contract/contract.js';
import type { ReceivedEvent } from '../../src/domain/event.js';
import { DuplicateCounter } from '../../src/flow/inbox/duplicate-counter.js';
import { DuplicateGuard } from '../../src/flow/inbox/duplicate-guard.js';
import { InboxService } from '../../src/flow/inbox/inbox.service.js';
import type { Verdict } from '../../src/flow/inbox/verdict.js';
import { Database } from '../../src/platform/database/database.js';
import { Log } from '../../src/platform/logging/logger.js';
import { RedisModule } from '../../src/platform/redis/redis.module.js';
import { eventually } from './eventually.js';
import { shopEvent, type ShopEvent } from './shop-event.js';

export interface GuardedInboxSettings {
  readonly contract: Contract;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Default: what a process has. */
  readonly answerWithinMs?: number;
}

/** The inbox of one process with its guard, which runs; of everything else nothing is started. */
export interface GuardedInbox {
  readonly database: Database;
  readonly guard: DuplicateGuard;
  /** What every key of the guard begins with. */
  readonly prefix: string;
  send(event: ShopEvent): Promise<Verdict>;
  receive(event: ReceivedEvent): Promise<Verdict>;
  /** Sends so many copies of one event that the guard is asked about its scope from then on. */
  makeCopiesUsual(eventType?: string): Promise<void>;
  flushCounts(): Promise<void>;
  close(): Promise<void>;
}

/** Copies enough to be usual, whatever else was sent before. */
const COPIES = 700;

export async function openGuardedInbox(settings: GuardedInboxSettings): Promise<GuardedInbox> {
  const { contract, databaseUrl, redisUrl, ...timing } = settings;
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const log = new Log('silent');
  const app = AppModule.for({
    contract,
    contractNumber: 1,
    log,
    role: 'all',
    databaseUrl,
    redisUrl: undefined,
    queuePrefix: prefix,
    requestTimeoutMs: 30_000,
    accessKeys: [],
  });
  const imports = [app, RedisModule.for({ url: redisUrl, prefix, ...timing })];
  const module = await Test.createTestingModule({ imports }).setLogger(log).compile();
  const inbox = module.get(InboxService, { strict: false });
  const guard = module.get(DuplicateGuard, { strict: false });
  const receive = async (event: ReceivedEvent): Promise<Verdict> => inbox.rememberQuickly(event);
  guard.onApplicationBootstrap();
  await eventually(() => expect(guard.isOn).toBe(true));
  return {
    database: module.get(Database, { strict: false }),
    guard,
    prefix,
    receive,
    send: async (event) => receive(shopEvent(contract, event)),
    makeCopiesUsual: async (eventType = 'customer.updated') => {
      const usual = shopEvent(contract, { eventType, externalId: `usual-${randomBytes(6).toString('hex')}` });
      await Promise.all(Array.from({ length: COPIES }, async () => receive(usual)));
    },
    flushCounts: async () => module.get(DuplicateCounter, { strict: false }).flush(),
    close: async () => module.close(),
  };
}

/** Recognised by the guard: nothing is said of where the event stands. */
export function isRecognised(verdict: Verdict): boolean {
  return verdict.kind === 'duplicate' && verdict.standing === undefined;
}
