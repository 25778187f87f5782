import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { ProcessEvent } from '../../../src/flow/process-event/process-event.js';
import { Heartbeat } from '../../../src/flow/work/heartbeat.js';
import { prolongClaims } from '../../../src/flow/work/work.sql.js';
import { WorkService } from '../../../src/flow/work/work.service.js';
import { eventually } from '../../support/eventually.js';
import { holdLock } from '../../support/hold-lock.js';
import { wireShop } from '../../support/wired-shop.js';

const LEASE_MS = 1_500;

describe('work that takes longer than its lease', () => {
  const shop = wireShop({ settings: { leaseMs: LEASE_MS } });
  let eventId: string;
  let batch: Promise<boolean>;
  let goOn: () => void;

  /** The batch of the first process stands between its claim and its effect until it is told to go on. */
  beforeEach(async () => {
    await shop.query('TRUNCATE work, trace, events, idempotency_keys');
    const processEvent = shop.first.get(ProcessEvent);
    const whole = processEvent.process.bind(processEvent);
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    jest.spyOn(processEvent, 'process').mockImplementation(async (events) => gate.then(() => whole(events)));
    eventId = (await shop.first.get(InboxService).remember(shop.event({ externalId: 'C-1' }))).eventId;
    batch = shop.first.get(EventRunner).runDue();
    await eventually(async () => expect(await shop.query(CLAIMED)).toHaveLength(1));
  });

  afterEach(async () => {
    goOn();
    await batch;
    jest.restoreAllMocks();
  });

  const CLAIMED = `SELECT fence, lease_until FROM work WHERE status = 'processing'`;
  const takeOver = async (): Promise<boolean> => shop.second.get(EventRunner).takeOver();
  const expire = async (): Promise<unknown> => shop.query(`UPDATE work SET lease_until = now() - interval '1 ms'`);

  test('is not taken over: its lease grows, under one fence, and its effect happens once', async () => {
    const [claimed] = await shop.query<{ fence: bigint; lease_until: string }>(CLAIMED);
    const grown = `SELECT fence FROM work WHERE lease_until > $1::timestamptz + 3 * $2 * interval '1 ms'`;
    await eventually(
      async () => {
        expect(await takeOver()).toBe(false);
        expect(await shop.query(grown, [claimed?.lease_until, LEASE_MS])).toEqual([{ fence: claimed?.fence }]);
      },
      { deadlineMs: 30_000 },
    );
    goOn();
    await batch;
    expect(await shop.query('SELECT event_id, status, attempt FROM trace')).toEqual([
      { event_id: eventId, status: 'COMPLETED', attempt: 1 },
    ]);
    expect(await shop.query('SELECT key FROM work WHERE kind = $1', ['event'])).toEqual([]);
  });

  test('is lost where its process was frozen past the lease: it is not revived, and the late effect is none', async () => {
    await expire();
    const expired = await shop.query('SELECT lease_until FROM work');
    // A beat or two come in between, as they do in a process that was thawed.
    await eventually(async () => {
      const [{ beats } = { beats: 0 }] = await shop.query<{ beats: number }>(
        `SELECT (extract(epoch FROM now() - lease_until) * 1000 / $1)::float8 AS beats FROM work`,
        [LEASE_MS / 3],
      );
      expect(beats).toBeGreaterThan(2);
    });
    expect(await shop.query('SELECT lease_until FROM work')).toEqual(expired);
    const claim = await shop.second.get(WorkService).takeOverExpired('event', 60_000);
    expect(claim?.key).toBe(eventId);
    const [before] = await shop.query<{ fence: bigint; lease_until: string }>(CLAIMED);
    goOn();
    await batch;
    expect(await shop.query(CLAIMED)).toEqual([before]);
    expect(await shop.query('SELECT status FROM trace')).toEqual([]);
  });
});

describe('a heartbeat', () => {
  const shop = wireShop();

  const lease = async (key: string): Promise<unknown> =>
    (await shop.query<{ lease_until: string }>('SELECT lease_until FROM work WHERE key = $1', [key]))[0]?.lease_until;

  test('waits for nobody: a row that is locked is passed over, and the others are prolonged', async () => {
    await shop.query(
      `INSERT INTO work (kind, key, topic, status, fence, lease_until)
       SELECT 'event', key, 'crm', 'processing', 7, now() + interval '1 s' FROM unnest(ARRAY['locked', 'free']) AS key`,
    );
    const [locked, free] = [await lease('locked'), await lease('free')];
    const held = await holdLock(shop.databaseUrl, `SELECT * FROM work WHERE key = 'locked' FOR UPDATE`);
    const claims = ['locked', 'free'].map((key) => ({ kind: 'event' as const, key, fence: 7n }));
    expect(await prolongClaims(shop.first.database, claims, 60_000)).toEqual([]);
    await held.release();
    expect(await lease('locked')).toBe(locked);
    expect(await lease('free')).not.toBe(free);
    await shop.query('TRUNCATE work');
  });

  test('ends with the work, and lets go of work that hangs after ten leases', async () => {
    await shop.query(`INSERT INTO work (kind, key, topic) VALUES ('event', 'hanging', 'crm')`);
    const claims = await shop.first.get(WorkService).claimDue('event', 1, 300);
    let end = (): void => undefined;
    const hanging = shop.first.get(Heartbeat).during('event', claims, 300, () => new Promise<void>((go) => (end = go)));
    const early = await lease('hanging');
    await eventually(async () => expect(await lease('hanging')).not.toBe(early));
    await eventually(
      async () => expect(await shop.second.get(WorkService).takeOverExpired('event', 60_000)).toBeDefined(),
      { deadlineMs: 20_000 },
    );
    const taken = await lease('hanging');
    end();
    await hanging;
    expect(await lease('hanging')).toBe(taken);
  });
});
