import { Pool } from 'undici';
import type { Contender } from '../contenders/contender.js';
import { sampleEvent } from './sample-event.js';

const BATCH_SIZE = 100;
const CONNECTIONS = 8;

export interface EventRange {
  readonly first: number;
  readonly count: number;
}

/** Sends a range of events in batches over a few connections; resolves when every batch is answered with 2xx. */
export async function sendBatches(contender: Contender, range: EventRange): Promise<void> {
  const url = new URL(`${contender.eventsUrl}/batch`);
  const pool = new Pool(url.origin, { connections: CONNECTIONS });
  const batches = batchBodies(range);
  const sendAll = async (): Promise<void> => {
    for (let body = batches.pop(); body !== undefined; body = batches.pop()) {
      await sendOne(pool, { path: url.pathname, contender, body });
    }
  };
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, sendAll));
  } finally {
    await pool.destroy();
  }
}

/** In reverse, so that `pop` hands out the oldest batch first. */
function batchBodies({ first, count }: EventRange): string[] {
  const bodies: string[] = [];
  for (let start = 0; start < count; start += BATCH_SIZE) {
    const length = Math.min(BATCH_SIZE, count - start);
    bodies.push(`[${Array.from({ length }, (_, offset) => sampleEvent(first + start + offset)).join(',')}]`);
  }
  return bodies.reverse();
}

async function sendOne(pool: Pool, batch: { path: string; contender: Contender; body: string }): Promise<void> {
  const { statusCode, body } = await pool.request({
    path: batch.path,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...batch.contender.headers },
    body: batch.body,
  });
  const text = await body.text();
  if (statusCode < 200 || statusCode > 299) {
    throw new Error(`A batch was answered ${String(statusCode)} instead of 2xx: ${text.slice(0, 500)}`);
  }
}
