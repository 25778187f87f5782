import { getQueueToken } from '@nestjs/bullmq';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Queue } from 'bullmq';
import { newEventId } from '../../../src/domain/ids.js';
import { eventRow } from '../../../src/flow/inbox/event-row.js';
import { insertEvents } from '../../../src/flow/inbox/inbox.sql.js';
import { deliveryQueueName, EVENT_RETRIES_QUEUE } from '../../../src/platform/queues/queue-names.js';
import { eventually } from '../../support/eventually.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';
import { runWorkers, type RunningWorkers } from '../../support/running-workers.js';
import { readShopContract } from '../../support/shop-contract.js';
import { shopEvent } from '../../support/shop-event.js';
import { suiteResources } from '../../support/suite-resources.js';
import { createTestDatabase } from '../../support/test-database.js';
import type { Contract } from '../../../src/domain/contract/contract.js';

/** Makes every effect fail by an error that may pass: a bug of the program, as it looks from here. */
const BREAK = [
  `CREATE FUNCTION break_records() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'no such table' USING ERRCODE = '42P01'; END $$`,
  'CREATE TRIGGER broken BEFORE INSERT ON records FOR EACH ROW EXECUTE FUNCTION break_records()',
];
const MEND = ['DROP TRIGGER broken ON records', 'DROP FUNCTION break_records()'];

describe('events that nobody is told about', () => {
  const closeLater = suiteResources();
  let contract: Contract;
  let redis: RedisServer;
  let workers: RunningWorkers;

  beforeAll(async () => {
    redis = await startRedis();
    closeLater(async () => redis.stop());
    const storage = await createTestDatabase();
    closeLater(async () => storage.drop());
    // No backoff comes before the alarms of the failed events are gone.
    const retry = { maxRetry: 5, backoffBaseSeconds: 1, backoffJitterMs: 0, capSeconds: 2 };
    contract = await readShopContract({ settings: { retry } });
    workers = await runWorkers({ contract, databaseUrl: storage.url, redisUrl: redis.url });
    closeLater(async () => workers.close());
  });

  /** Remembers an event without ringing any bell, as a process does that dies after its commit. */
  async function rememberInSilence(externalId: string): Promise<string> {
    const eventId = newEventId(Date.now());
    await insertEvents(
      workers.database,
      [eventRow(shopEvent(contract, { externalId, eventType: 'order.updated' }), eventId)],
      1,
    );
    return eventId;
  }

  const statuses = async (eventId: string): Promise<string[]> =>
    (
      await workers.database.query<{ status: string }>(
        `SELECT status FROM trace WHERE event_id = $1 AND node = 'worker' ORDER BY at, trace_id`,
        [eventId],
      )
    ).map(({ status }) => status);

  async function failOnce(externalId: string): Promise<string> {
    for (const statement of BREAK) await workers.database.query(statement);
    const eventId = await rememberInSilence(externalId);
    await eventually(async () => expect(await statuses(eventId)).toContain('FAILED'));
    return eventId;
  }

  async function mend(): Promise<void> {
    for (const statement of MEND) await workers.database.query(statement);
  }

  async function expectApplied(eventId: string): Promise<void> {
    await eventually(async () => expect((await statuses(eventId)).at(-1)).toBe('COMPLETED'));
    const [row] = await workers.database.query<{ retry_count: number; reject_reason: string | null }>(
      `SELECT retry_count, reject_reason FROM trace WHERE event_id = $1 AND status = 'COMPLETED'`,
      [eventId],
    );
    expect(row?.reject_reason).toBe(row?.retry_count === 0 ? null : 'event.undecidable');
  }

  test('whose processing never started, because no bell rang, are found by the sweep', async () => {
    const eventId = await rememberInSilence('O-silent');
    await expectApplied(eventId);
    expect(await statuses(eventId)).toEqual(['COMPLETED']);
  });

  test('whose worker did not come back are taken over by the sweep', async () => {
    const eventId = newEventId(Date.now());
    await workers.database.transaction(async (tx) => {
      await insertEvents(tx, [eventRow(shopEvent(contract, { externalId: 'C-abandoned' }), eventId)], 1);
      await tx.query(
        `UPDATE work SET status = 'processing', fence = 1, lease_until = now() - interval '1 s' WHERE key = $1`,
        [eventId],
      );
    });
    await eventually(async () => expect(await statuses(eventId)).toEqual(['COMPLETED']));
  });

  test('that are parked and were not woken go on by the sweep', async () => {
    const eventId = newEventId(Date.now());
    await workers.database.transaction(async (tx) => {
      await insertEvents(tx, [eventRow(shopEvent(contract, { externalId: 'C-parked' }), eventId)], 1);
      // What it waits for has happened: the map knows it.
      await tx.query(
        `INSERT INTO mappings (mapping_id, internal_id, entity_type, system, external_id, raw_external_id, state, origin)
         VALUES (gen_random_uuid(), gen_random_uuid(), 'customer', 'crm', 'C-known', 'C-known', 'linked', 'seen')`,
      );
      await tx.query(
        `UPDATE work SET status = 'waiting', waits_for = '{mapping:crm:customer:C-known}', waits_contract = 1,
                wait_until = now() + interval '1 hour' WHERE key = $1`,
        [eventId],
      );
    });
    await eventually(async () => expect(await statuses(eventId)).toEqual(['COMPLETED']));
  });

  test('that failed and whose alarm was thrown away are tried again by the sweep', async () => {
    const eventId = await failOnce('O-alarmless');
    await workers.get<Queue>(getQueueToken(EVENT_RETRIES_QUEUE)).obliterate({ force: true });
    await mend();
    await expectApplied(eventId);
  });

  test('that failed while Redis was away are tried again by the sweep alone', async () => {
    await redis.stop();
    const eventId = await failOnce('O-redisless');
    await mend();
    await expectApplied(eventId);
    await redis.start();
    // Whoever ends while connections are on their way back is a question of its own.
    for (const name of [EVENT_RETRIES_QUEUE, deliveryQueueName('erp'), deliveryQueueName('wms')]) {
      const queue = workers.get<Queue>(getQueueToken(name));
      await eventually(async () => expect(await queue.getWorkers()).not.toEqual([]));
    }
  });

  // An event row without a work row cannot arise: key, event and work row are one statement. So this is tried: what
  // becomes of the other two where the third is refused.
  test('are not there at all where their work row could not be written', async () => {
    await workers.database.query(`ALTER TABLE work ADD CONSTRAINT refused CHECK (topic <> 'crm') NOT VALID`);
    try {
      await expect(rememberInSilence('O-refused')).rejects.toThrow(/refused/);
    } finally {
      await workers.database.query('ALTER TABLE work DROP CONSTRAINT refused');
    }
    expect(await workers.database.query(`SELECT event_id FROM events WHERE external_id = 'O-refused'`)).toEqual([]);
    expect(
      await workers.database.query(`SELECT event_id FROM idempotency_keys WHERE idempotency_key LIKE '%O-refused%'`),
    ).toEqual([]);
  });
});
