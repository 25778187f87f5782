import { getQueueToken } from '@nestjs/bullmq';
import { beforeAll, beforeEach } from '@jest/globals';
import type { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { RecordServerClient } from '../../../examples/record-server-client.js';
import { startRecordServer } from '../../../examples/record-server.js';
import type { Settings } from '../../../src/domain/contract/contract.js';
import type { Delivery } from '../../../src/flow/delivery/delivery.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { deliveryQueueName } from '../../../src/platform/queues/queue-names.js';
import { startRedis } from '../../support/redis-server.js';
import { runWorkers, type RunningWorkers } from '../../support/running-workers.js';
import { readShopContract } from '../../support/shop-contract.js';
import { shopEvent, type ShopEvent } from '../../support/shop-event.js';
import { suiteResources } from '../../support/suite-resources.js';
import { createTestDatabase } from '../../support/test-database.js';

/** Redis first: BullMQ keeps the PostgreSQL backend as its default for the rest of a process that once chose it. */
export const BACKENDS = ['redis', 'postgres'] as const;
export type QueueBackend = (typeof BACKENDS)[number];

/** The shop with its workers running, the queues on one backend, and a real ERP to deliver to. */
export interface RunningShop {
  readonly workers: RunningWorkers;
  readonly erp: RecordServerClient;
  /** Remembers an event as the door would; the workers hear of it at once. Resolves to its event id. */
  send(event: ShopEvent): Promise<string>;
  query<Row>(statement: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The ERP's delivery of the entity that the CRM, or another source, calls by this id. */
  delivery(externalId: string): Promise<Delivery | undefined>;
  /** Nodes, statuses and codes of an event's trace, in order. */
  trace(eventId: string): Promise<readonly { node: string; status: string; code: string | null }[]>;
  /** Throws away every alarm there is, as a Redis that lost its memory would. */
  loseAlarms(): Promise<void>;
}

/** No sweep comes within a test: whatever happens, an alarm did it. */
export const NO_SWEEP: Partial<Settings> = { sweepEveryMs: 3_600_000 };

/** For the suite that is being described. The ERP forgets everything before each test. */
export function runShop(backend: QueueBackend, settings: Partial<Settings> = {}): RunningShop {
  const closeLater = suiteResources();
  const shop = {} as { -readonly [Part in keyof RunningShop]: RunningShop[Part] };
  beforeAll(async () => {
    const erp = await startRecordServer({ system: 'erp', port: 0 });
    closeLater(async () => erp.close());
    const redis = backend === 'redis' ? await startRedis() : undefined;
    closeLater(async () => redis?.stop());
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    const contract = await readShopContract({ erpUrl: erp.url, settings });
    const workers = await runWorkers({ contract, databaseUrl: storage.url, redisUrl: redis?.url });
    closeLater(async () => workers.close());
    Object.assign(shop, { workers, erp: new RecordServerClient(erp.url) });
    shop.send = async (event) => (await workers.get(InboxService).remember(shopEvent(contract, event))).eventId;
    shop.query = async (statement, values) => workers.database.query(statement, values);
    shop.loseAlarms = async () => (redis === undefined ? obliterate(workers) : flush(redis.url));
  });
  beforeEach(async () => shop.erp.reset());
  shop.delivery = async (externalId) =>
    (
      await shop.query<Delivery>(
        `SELECT deliveries.* FROM deliveries JOIN mappings USING (internal_id)
          WHERE deliveries.target = 'erp' AND mappings.system <> 'erp' AND mappings.external_id = $1`,
        [externalId],
      )
    )[0];
  shop.trace = async (eventId) =>
    shop.query('SELECT node, status, code FROM trace WHERE event_id = $1 ORDER BY at, trace_id', [eventId]);
  return shop;
}

async function obliterate(workers: RunningWorkers): Promise<void> {
  const queue = workers.get<Queue>(getQueueToken(deliveryQueueName('erp')));
  await queue.obliterate({ force: true });
}

async function flush(redisUrl: string): Promise<void> {
  const redis = new Redis(redisUrl);
  await redis.flushall();
  redis.disconnect();
}
