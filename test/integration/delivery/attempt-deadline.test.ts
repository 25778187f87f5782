import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { RecordServerClient } from '../../../examples/record-server-client.js';
import { startRecordServer, type RecordServer } from '../../../examples/record-server.js';
import { NO_TARGET, type Target } from '../../../src/domain/contract/target.js';
import { newEventId, newInternalId } from '../../../src/domain/ids.js';
import type { Attempt } from '../../../src/flow/delivery/attempt.js';
import { Deliver } from '../../../src/flow/delivery/deliver.js';
import { TargetClient } from '../../../src/flow/delivery/target-client.js';
import { TargetSession } from '../../../src/flow/delivery/target-session.js';
import { LeaseLost } from '../../../src/flow/work/work.js';
import { DatabaseClock } from '../../../src/platform/database/database-clock.js';
import { eventually } from '../../support/eventually.js';
import { holdLock } from '../../support/hold-lock.js';
import { wireShop } from '../../support/wired-shop.js';

const TIMEOUT_MS = 60_000;
/** To find, to create and to update. */
const CALLS_MAX = 3;

describe('the deadline of an attempt', () => {
  const shop = wireShop({ settings: { leaseMs: 1_000 } });
  const client = new TargetClient();
  let server: RecordServer;
  let erp: RecordServerClient;

  beforeAll(async () => {
    server = await startRecordServer({ system: 'erp', port: 0 });
    erp = new RecordServerClient(server.url);
  });

  afterAll(async () => {
    await server.close();
    await client.onApplicationShutdown();
  });

  /** A customer is created at the ERP, which takes five seconds for it, by an attempt that has so much time. */
  async function create(remainingMs: number) {
    await erp.reset();
    await erp.scriptFaults([{ kind: 'delay', ms: 5_000 }]);
    const rules: Target = { ...NO_TARGET, baseUrl: server.url, timeoutMs: TIMEOUT_MS };
    const attempt: Attempt = {
      target: 'erp',
      rules,
      entityRules: {},
      externalIdRules: { normalize: [] },
      internalId: newInternalId(Date.now()),
      entityType: 'customer',
      revision: 1n,
      fence: 1n,
      dirtySeq: 0n,
      eventId: newEventId(Date.now()),
      correlationId: 'process-1',
      traceparent: null,
      input: { entity: new Map(), event: null, state: null },
      retryCount: 0,
      retryIntervalMs: 0,
      rejectReason: undefined,
      retry: shop.contract.settings.retry,
      deadlineMs: performance.now() + remainingMs,
    };
    const session = new TargetSession(client, shop.first.get(DatabaseClock), attempt);
    return session.create({ method: 'POST', path: '/customers' });
  }

  test('is over: no call is made', async () => {
    await expect(create(-1)).rejects.toThrow(LeaseLost);
    expect(await erp.calls()).toEqual([]);
  });

  test('comes before the time-out of the target: the call ends with it', async () => {
    expect(await create(500)).toMatchObject({ kind: 'failed', mayHaveArrived: true });
  });

  test('lies beyond all calls that an attempt may make', async () => {
    const timeouts = [...shop.contract.systems.values()].map(({ deliver }) => deliver?.timeoutMs ?? 0);
    await shop.query(`INSERT INTO work (kind, key, topic, internal_id) VALUES ('delivery', 'erp:x', 'erp', $1)`, [
      newInternalId(Date.now()),
    ]);
    // It stands still between its claim and its first call.
    const held = await holdLock(shop.databaseUrl, 'LOCK TABLE deliveries IN ACCESS EXCLUSIVE MODE');
    const delivered = shop.first.get(Deliver).deliver('erp:x');
    const [claimed] = await eventually(async () => {
      const rows = await shop.query(
        `SELECT lease_until > now() + $1 * interval '1 ms' AS is_enough FROM work WHERE status = 'processing'`,
        [CALLS_MAX * Math.max(...timeouts)],
      );
      expect(rows).toHaveLength(1);
      return rows;
    });
    await held.release();
    await delivered;
    expect(claimed).toEqual({ is_enough: true });
  });
});
