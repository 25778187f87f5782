import { describe, expect, jest, test } from '@jest/globals';
import { FinalOutcomes } from '../../../src/flow/inbox/final-outcomes.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { EventId } from '../../../src/domain/ids.js';
import type { EventStanding } from '../../../src/flow/inbox/verdict.js';
import { eventually } from '../../support/eventually.js';
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
    await shop.query(`UPDATE work SET status = 'dead', dead_at = now(), reject_reason = 'work.poison' WHERE key = $1`, [
      eventId,
    ]);
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

  test('hold no connection: thousands of them ask in one statement at a time', async () => {
    const outcomes = shop.first.get(FinalOutcomes);
    const { database } = shop.first;
    const eventId = await remembered('idle');
    const query = database.query.bind(database);
    let [asked, asking, askingMax] = [0, 0, 0];
    // Only what is asked about this event counts; the clock and others have statements of their own.
    const spy = jest.spyOn(database, 'query').mockImplementation(async (statement, values = []) => {
      if (!JSON.stringify(values).includes(eventId)) return query(statement, values);
      asked++;
      askingMax = Math.max(askingMax, ++asking);
      return query(statement, values).finally(() => asking--);
    });
    let isOver = false;
    const wait = { ...FOR_EVER, isAbandoned: () => isOver };
    const crowd = Array.from({ length: 1_999 }, async () => outcomes.wait(eventId, RECEIVED, wait));
    await eventually(() => expect(asked).toBeGreaterThanOrEqual(3));
    isOver = true;
    await Promise.all(crowd);
    spy.mockRestore();
    expect(askingMax).toBe(1);
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
