import { setTimeout as delay } from 'node:timers/promises';
import type { CrosswalkClient } from '../../support/crosswalk-client.js';
import { CRM } from '../facts.js';
import type { Sending } from './sendings.js';

const SENDERS = 16;
const BATCH_MAX = 5;
const PAUSE_MS = 50;
/** A process that was frozen may find that the request came too slowly. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

export interface Sent {
  /** Refusals that trying again will not mend; there is no reason for any. */
  readonly refusals: readonly string[];
  /** How often something had to be sent again because nobody promised to keep it. */
  readonly retries: number;
}

/**
 * Sends everything as careful upstreams do: single or in batches, to any process, and again until a 2xx says that it
 * is kept.
 *
 * @param beforeSending is waited for in front of each, with the number of those before it
 */
export async function sendAll(
  sendings: readonly Sending[],
  client: (at: number) => CrosswalkClient,
  beforeSending: (at: number) => Promise<void>,
): Promise<Sent> {
  const queue = [...sendings];
  const refusals: string[] = [];
  let retries = 0;

  const send = async (batch: readonly Sending[], at: number): Promise<readonly Sending[]> => {
    try {
      return await sendBatch(batch, client(at), refusals);
    } catch {
      // The process died, froze or broke off under the request: nobody knows what came of it.
      return batch;
    }
  };
  const sender = async (number: number): Promise<void> => {
    const width = 1 + (number % BATCH_MAX);
    for (let batch = queue.splice(0, width); batch.length > 0; batch = queue.splice(0, width)) {
      await beforeSending(sendings.length - queue.length);
      for (let attempt = number; batch.length > 0; attempt++) {
        const left = await send(batch, attempt);
        if (left.length > 0) await delay(PAUSE_MS);
        retries += left.length;
        batch = [...left];
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, number) => sender(number)));
  return { refusals, retries };
}

/** What has to be sent again. */
async function sendBatch(
  batch: readonly Sending[],
  client: CrosswalkClient,
  refusals: string[],
): Promise<readonly Sending[]> {
  const [only] = batch;
  if (only !== undefined && batch.length === 1) {
    const { status, body } = await client.sendEvent(only.text, CRM);
    if (status >= 200 && status < 300) return [];
    if (status >= 500 || LATER.has(status)) return batch;
    refusals.push(`${only.fact.idempotency_key} ${status} ${String(body.code)}`);
    return [];
  }
  const { status, body } = await client.sendBatch(
    batch.map(({ text }) => JSON.parse(text) as unknown),
    CRM,
  );
  if (status !== 200) return batch;
  return batch.filter((sending, at) => {
    const result = body.results[at];
    if (result?.verdict === 'accepted' || result?.verdict === 'duplicate') return false;
    if (result?.retryable !== true) refusals.push(`${sending.fact.idempotency_key} ${JSON.stringify(result)}`);
    return result?.retryable === true;
  });
}
