import { describe, expect, jest, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { EntitiesService } from '../../../src/flow/entities/entities.service.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a transaction of ours that stands still for too long', () => {
  // The database ends a transaction that does nothing for a fifth of the lease.
  const shop = wireShop({ settings: { leaseMs: 2_000 } });

  test('is a failed attempt of the event that held it up, and of no other', async () => {
    const inbox = shop.first.get(InboxService);
    const slow = (await inbox.remember(shop.event({ externalId: 'slow' }))).eventId;
    const quick = (await inbox.remember(shop.event({ externalId: 'quick' }))).eventId;
    const entities = shop.first.get(EntitiesService);
    const save = entities.save.bind(entities);
    jest.spyOn(entities, 'save').mockImplementation(async (tx, held) => {
      const ids = [...held].flatMap(({ records }) => [...records.values()].map(({ entity }) => entity.externalId));
      // Until the connection is gone, as a decision that computes for too long would.
      if (ids.includes('slow')) await delay(1_500);
      return save(tx, held);
    });

    await shop.first.get(EventRunner).runDue();
    expect(await shop.query('SELECT event_id, status, code FROM trace ORDER BY status')).toEqual([
      { event_id: quick, status: 'COMPLETED', code: null },
      { event_id: slow, status: 'FAILED', code: 'event.undecidable' },
    ]);
    expect(await shop.query(`SELECT key, status, retry_count, failure_class FROM work WHERE kind = 'event'`)).toEqual([
      { key: slow, status: 'due', retry_count: 1, failure_class: 'retryable' },
    ]);
  });
});
