import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a webhook that no rule reads', () => {
  const shop = wireShop();

  const webhook = (source: string, body: string, distinction: readonly string[] = []) => ({
    source,
    body,
    request: '{}',
    distinction,
    correlationId: 'unmatched',
    reason: 'No rule’s conditions hold for this body.',
    code: 'webhook.unmatched',
  });

  test('is one dead letter for all copies of its body, and keeps the body byte for byte', async () => {
    const body = '{"event_type" : "unheard.of", "n": 100.00}';
    const copies = [shop.first, shop.second, shop.first, shop.second].map(async (process) =>
      process.get(InboxService).keepUnmatched(webhook('crm', body)),
    );
    const [eventId, ...others] = await Promise.all(copies);
    expect(new Set(others)).toEqual(new Set([eventId]));
    expect(
      await shop.query(
        `SELECT events.event_id, events.payload, work.status, work.reject_reason
           FROM events JOIN work USING (event_id) WHERE events.source = 'crm'`,
      ),
    ).toEqual([{ event_id: eventId, payload: body, status: 'dead', reject_reason: 'webhook.unmatched' }]);
  });

  test('is another dead letter with another body, from another system, or where what conditions look at differs', async () => {
    const inbox = shop.first.get(InboxService);
    const letters = await Promise.all([
      inbox.keepUnmatched(webhook('erp', '{"a":1}')),
      inbox.keepUnmatched(webhook('erp', '{"a": 1}')),
      inbox.keepUnmatched(webhook('wms', '{"a":1}')),
      inbox.keepUnmatched(webhook('erp', '{"a":1}', ['header/x-topic=orders/create'])),
      inbox.keepUnmatched(webhook('erp', '{"a":1}', ['header/x-topic=orders/delete'])),
    ]);
    expect(new Set(letters).size).toBe(5);
  });
});
