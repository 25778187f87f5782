import { describe, expect, test } from '@jest/globals';
import { FinalOutcomes } from '../../../src/flow/inbox/final-outcomes.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { EventId } from '../../../src/domain/ids.js';
import type { EventStanding } from '../../../src/flow/inbox/verdict.js';
import { wireShop } from '../../support/wired-shop.js';

const RECEIVED: EventStanding = { status: 'RECEIVED', outcome: undefined, code: undefined, internalId: undefined };
const FOR_EVER = { endsAtMs: Infinity, bytes: 1, isAbandoned: () => false };

describe('senders who wait for an outcome', () => {
  const shop = wireShop();

  async function remembered(externalId: string): Promise<EventId> {
    return (await shop.first.get(InboxService).remember(shop.event({ externalId }))).eventId;
  }

  test('are told when another process ends the event, without a signal from it', async () => {
    const outcomes = shop.first.get(FinalOutcomes);
    const eventId = await remembered('dead');
    const told = outcomes.wait(eventId, RECEIVED, FOR_EVER);
    await shop.query(`UPDATE work SET status = 'dead', reject_reason = 'work.poison' WHERE key = $1`, [eventId]);
    expect(await told).toMatchObject({ status: 'DEAD', code: 'work.poison' });
  });

  test('who are gone are not waited for any longer', async () => {
    const outcomes = shop.first.get(FinalOutcomes);
    let isGone = false;
    const told = outcomes.wait(await remembered('gone'), RECEIVED, { ...FOR_EVER, isAbandoned: () => isGone });
    isGone = true;
    expect(await told).toMatchObject({ status: 'RECEIVED' });
  });

  test('are bounded in number and in bytes: who comes too many does not wait', async () => {
    const outcomes = shop.first.get(FinalOutcomes);
    const eventId = await remembered('crowd');
    let isOver = false;
    const wait = { ...FOR_EVER, isAbandoned: () => isOver };
    const crowd = Array.from({ length: 2_000 }, async () => outcomes.wait(eventId, RECEIVED, wait));
    expect(await outcomes.wait(eventId, RECEIVED, wait)).toBeUndefined();
    isOver = true;
    for (const standing of await Promise.all(crowd)) expect(standing).toMatchObject({ status: 'RECEIVED' });

    isOver = false;
    const large = outcomes.wait(eventId, RECEIVED, { ...wait, bytes: 67_108_864 });
    expect(await outcomes.wait(eventId, RECEIVED, wait)).toBeUndefined();
    isOver = true;
    await large;
  });

  test('hold no connection: thousands of them leave the pool to others', async () => {
    const outcomes = shop.first.get(FinalOutcomes);
    const eventId = await remembered('idle');
    let isOver = false;
    const wait = { ...FOR_EVER, isAbandoned: () => isOver };
    const crowd = Array.from({ length: 1_999 }, async () => outcomes.wait(eventId, RECEIVED, wait));
    const busy = await shop.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'crosswalk' AND state <> 'idle'
          AND pid <> pg_backend_pid()`,
    );
    expect(Number(busy[0]?.count)).toBeLessThanOrEqual(1);
    isOver = true;
    await Promise.all(crowd);
  });

  test('are told what is known when the process ends', async () => {
    const outcomes = shop.second.get(FinalOutcomes);
    const eventId = await remembered('ending');
    const told = outcomes.wait(eventId, RECEIVED, FOR_EVER);
    outcomes.onModuleDestroy();
    expect(await told).toMatchObject({ status: 'RECEIVED' });
    expect(await outcomes.wait(eventId, RECEIVED, FOR_EVER)).toBeUndefined();
  });
});
