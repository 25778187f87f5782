import { describe, expect, test } from '@jest/globals';
import { DuplicateCounter } from '../../../src/flow/inbox/duplicate-counter.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('the count of intercepted copies', () => {
  const shop = wireShop();

  async function rememberCopies(copies: number, source: string, externalId: string): Promise<void> {
    const event = shop.event({ source, externalId });
    await Promise.all(Array.from({ length: copies }, async () => shop.first.get(InboxService).remember(event)));
  }
  const flush = async (): Promise<void> => shop.first.get(DuplicateCounter).flush();
  const counts = async (): Promise<unknown[]> =>
    shop.query(
      'SELECT source, event_type, layer, sum(copies)::int AS copies FROM duplicate_counts GROUP BY 1, 2, 3 ORDER BY 1',
    );

  test('is kept by source and event type, and grows from flush to flush', async () => {
    await rememberCopies(4, 'crm', 'C-1');
    await rememberCopies(2, 'erp', 'E-1');
    await flush();
    await rememberCopies(2, 'crm', 'C-1');
    await flush();
    expect(await counts()).toEqual([
      { source: 'crm', event_type: 'customer.updated', layer: 'key', copies: 5 },
      { source: 'erp', event_type: 'customer.updated', layer: 'key', copies: 1 },
    ]);
  });

  test('survives a flush that fails', async () => {
    await rememberCopies(3, 'wms', 'W-1');
    await shop.query('ALTER TABLE duplicate_counts RENAME TO duplicate_counts_away');
    await expect(flush()).rejects.toThrow('duplicate_counts');
    await shop.query('ALTER TABLE duplicate_counts_away RENAME TO duplicate_counts');
    await flush();
    await flush();
    expect(await counts()).toContainEqual({ source: 'wms', event_type: 'customer.updated', layer: 'key', copies: 2 });
  });
});
