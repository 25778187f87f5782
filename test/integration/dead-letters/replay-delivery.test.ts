import { describe, expect, test } from '@jest/globals';
import { ReplayLetter } from '../../../src/operations/dead-letters/replay-letter.js';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, runShop } from '../delivery/running-shop.js';
import { wishAbout } from './dead-event.js';

describe.each(BACKENDS)('a dead delivery that is replayed by hand (%s)', (backend) => {
  const shop = runShop(backend, { sweepEveryMs: 50 });

  async function deadDelivery(externalId: string): Promise<{ letterId: string; eventId: string }> {
    await shop.erp.scriptFaults([{ kind: 'status', status: 400 }]);
    const eventId = await shop.send({ externalId, correlationId: `process-${externalId}` });
    await eventually(async () => expect(await shop.delivery(externalId)).toMatchObject({ status: 'dead' }));
    return { eventId, letterId: `erp:${(await shop.delivery(externalId))?.internal_id}` };
  }

  /** As five workers leave it that did not come back: whoever takes it up again must not find it poison at once. */
  async function letItBePoison(letterId: string): Promise<void> {
    await shop.query('UPDATE work SET claims = 6, retry_count = 3 WHERE key = $1', [letterId]);
  }

  test('by twenty at once, while the sweep runs, is attempted once', async () => {
    const { letterId, eventId } = await deadDelivery('C-1');
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => shop.workers.get(ReplayLetter).replay(wishAbout(letterId))),
    );
    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered', attempts: 2 }),
    );

    const outcomes = answers.map((answer) => ('outcome' in answer ? answer.outcome : 'none'));
    expect(outcomes.toSorted()).toEqual(['replayed', ...Array<string>(19).fill('superseded')]);
    expect((await shop.erp.calls()).map(({ method, status }) => [method, status])).toEqual([
      ['POST', 400],
      ['POST', 201],
    ]);
    expect(await shop.trace(eventId)).toEqual([
      { node: 'worker', status: 'COMPLETED', code: null },
      { node: 'erp', status: 'DEAD', code: 'target.refused' },
      { node: 'erp', status: 'REPLAYED', code: null },
      { node: 'erp', status: 'DELIVERED', code: null },
    ]);
    expect(
      await shop.query(`SELECT actor, action, reason, correlation_id FROM audit WHERE subject = '${letterId}'`),
    ).toEqual([
      { actor: 'oscar', action: 'dead_letter.replay', reason: 'The cause is gone.', correlation_id: 'process-C-1' },
    ]);
  });

  test('after a newer revision took its place does nothing and says so', async () => {
    const { letterId } = await deadDelivery('C-2');
    await letItBePoison(letterId);
    await shop.send({ externalId: 'C-2', version: 2 });
    await eventually(async () => expect(await shop.delivery('C-2')).toMatchObject({ status: 'delivered' }));
    await shop.erp.clearCalls();
    expect(await shop.workers.get(ReplayLetter).replay(wishAbout(letterId))).toMatchObject({
      outcome: 'superseded',
      detail: expect.stringContaining('Nothing was done'),
    });
    expect(await shop.erp.calls()).toEqual([]);
    expect(await shop.query('SELECT * FROM work')).toEqual([]);
  });

  test('sends the newest state, and has all its attempts before it', async () => {
    const { letterId } = await deadDelivery('C-3');
    await letItBePoison(letterId);
    // Three more may fail before it is given up; of those before none counts any more.
    await shop.erp.scriptFaults([{ kind: 'status', status: 503, times: 3 }]);
    await shop.workers.get(ReplayLetter).replay(wishAbout(letterId));
    await eventually(async () =>
      expect(await shop.delivery('C-3')).toMatchObject({ status: 'delivered', attempts: 5 }),
    );
  });
});
