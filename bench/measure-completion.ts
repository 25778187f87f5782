import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Contender } from './contenders/contender.js';
import {
  countCompletedEvents,
  databaseTime,
  describeOpenEvents,
  hasOpenEvents,
  medianReceiptToCompletedMs,
} from './crosswalk.sql.js';
import { sendBatches } from './load/send-batches.js';
import { sendGently } from './load/send-gently.js';

export interface Completion {
  /** From the first batch sent to the last event processed. */
  readonly eventsPerSecond: number;
  /** From receipt to COMPLETED at a gentle rate. */
  readonly medianMs: number;
}

const WARM_UP = { first: 0, count: 2000 };
const MEASURED = { first: WARM_UP.count, count: 20_000 };
const LOOK_EVERY_MS = 25;
const PROCESSED_WITHIN_MS = 120_000;

/** How fast Crosswalk brings events to COMPLETED. Rejects when one of them does not get there. */
export async function measureCompletion(contender: Contender): Promise<Completion> {
  const db = new pg.Client({ connectionString: contender.databaseUrl });
  db.on('error', () => undefined);
  await db.connect();
  try {
    await sendBatches(contender, WARM_UP);
    await untilProcessed(db);

    const startedAt = performance.now();
    await sendBatches(contender, MEASURED);
    await untilProcessed(db);
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    await expectCompleted(db, WARM_UP.count + MEASURED.count);

    const since = await databaseTime(db);
    await sendGently(contender);
    await untilProcessed(db);
    const medianMs = await medianReceiptToCompletedMs(db, since);
    return { eventsPerSecond: MEASURED.count / elapsedSeconds, medianMs };
  } finally {
    await db.end();
  }
}

async function untilProcessed(db: pg.Client): Promise<void> {
  const deadline = Date.now() + PROCESSED_WITHIN_MS;
  while (await hasOpenEvents(db)) {
    if (Date.now() > deadline) {
      throw new Error(`Events are still not processed after two minutes: ${await describeOpenEvents(db)}.`);
    }
    await wait(LOOK_EVERY_MS);
  }
}

async function expectCompleted(db: pg.Client, sent: number): Promise<void> {
  const completed = await countCompletedEvents(db);
  if (completed !== sent) {
    throw new Error(`${String(sent)} events were sent and ${String(completed)} are COMPLETED: the figure would lie.`);
  }
}
