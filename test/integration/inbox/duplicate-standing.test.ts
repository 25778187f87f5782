import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { Verdict } from '../../../src/flow/inbox/verdict.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { WorkService } from '../../../src/flow/work/work.service.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a duplicate is told where the first copy stands', () => {
  const shop = wireShop();

  const remember = async (event: ShopEvent): Promise<Verdict> =>
    shop.first.get(InboxService).remember(shop.event(event));
  const processAll = async (): Promise<void> => {
    while (await shop.first.get(EventRunner).runDue());
  };

  test('while it waits', async () => {
    await remember({ externalId: 'waiting' });
    expect(await remember({ externalId: 'waiting' })).toMatchObject({
      kind: 'duplicate',
      standing: { status: 'RECEIVED' },
    });
    await processAll();
  });

  test('while it is being processed, and while it waits for its next attempt', async () => {
    await remember({ externalId: 'claimed' });
    const work = shop.second.get(WorkService);
    const [claim] = await work.claimDue('event', 1, 60_000);
    expect(await remember({ externalId: 'claimed' })).toMatchObject({ standing: { status: 'PROCESSING' } });
    if (claim === undefined) throw new Error('Nothing was due.');
    const next = { kind: 'retry', delayMs: 60_000 } as const;
    await work.fail(shop.second.database, 'event', claim, {
      code: 'event.undecidable',
      detail: 'test',
      class: 'retryable',
      next,
    });
    expect(await remember({ externalId: 'claimed' })).toMatchObject({
      standing: { status: 'FAILED', code: 'event.undecidable' },
    });
  });

  test('when it was applied', async () => {
    await remember({ externalId: 'done', version: 2 });
    await processAll();
    const [entity] = await shop.query<{ internal_id: string }>(
      `SELECT internal_id FROM mappings WHERE external_id = 'done'`,
    );
    expect(await remember({ externalId: 'done', version: 2 })).toMatchObject({
      kind: 'duplicate',
      standing: { status: 'COMPLETED', outcome: 'applied', code: undefined, internalId: entity?.internal_id },
    });
  });

  test('when it came too late', async () => {
    await remember({ externalId: 'done', version: 1 });
    await processAll();
    expect(await remember({ externalId: 'done', version: 1 })).toMatchObject({
      standing: { status: 'COMPLETED', outcome: 'stale', code: 'version.stale' },
    });
  });

  test('when it was given up', async () => {
    const { eventId } = await remember({ externalId: 'dead' });
    await shop.query(
      `UPDATE work SET status = 'dead', dead_at = now(), reject_reason = 'event.undecidable' WHERE key = $1`,
      [eventId],
    );
    expect(await remember({ externalId: 'dead' })).toMatchObject({
      eventId,
      standing: { status: 'DEAD', code: 'event.undecidable' },
    });
  });
});
