import { describe, expect, test } from '@jest/globals';
import { WorkService } from '../../../src/flow/work/work.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('looking for the overdue deliveries of a target', () => {
  const shop = wireShop();

  test('finds what is late by a period, the latest first, and nothing that somebody or its alarm still has', async () => {
    await shop.query(
      `INSERT INTO work (kind, key, topic, status, next_retry_time, lease_until, dead_at)
       VALUES ('delivery', 'late', 'erp', 'due', now() - interval '11 s', NULL, NULL),
              ('delivery', 'very late', 'erp', 'due', now() - interval '60 s', NULL, NULL),
              ('delivery', 'just due', 'erp', 'due', now() - interval '5 s', NULL, NULL),
              ('delivery', 'not due', 'erp', 'due', now() + interval '60 s', NULL, NULL),
              ('delivery', 'claimed', 'erp', 'processing', now() - interval '60 s', now() + interval '60 s', NULL),
              ('delivery', 'dead', 'erp', 'dead', now() - interval '60 s', NULL, now()),
              ('delivery', 'other target', 'wms', 'due', now() - interval '60 s', NULL, NULL),
              ('event', 'other kind', 'crm', 'due', now() - interval '60 s', NULL, NULL)`,
    );
    const work = shop.first.get(WorkService);
    expect(await work.findOverdueDeliveries('erp', 10_000, 10)).toEqual(['very late', 'late']);
    expect(await work.findOverdueDeliveries('erp', 10_000, 1)).toEqual(['very late']);
  });
});
