import { describe, expect, test } from '@jest/globals';
import type { Contract } from '../../../src/domain/contract/contract.js';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { suiteResources } from '../../support/suite-resources.js';
import { wireServices } from '../../support/wired-services.js';
import { wireShop } from '../../support/wired-shop.js';

describe('an event that cannot be decided any more', () => {
  const closeLater = suiteResources();
  const shop = wireShop();

  test('is buried alone: its batch is applied', async () => {
    const inbox = shop.first.get(InboxService);
    const good = Array.from({ length: 10 }, (_, at) => shop.event({ externalId: `C-${at}` }));
    const bad = shop.event({ eventType: 'order.updated', externalId: 'O-1' });
    const verdicts = await Promise.all(
      [...good.slice(0, 4), bad, ...good.slice(4)].map(async (event) => inbox.remember(event)),
    );

    const later = await wireServices(withoutOrders(shop.contract), shop.databaseUrl);
    closeLater(async () => later.close());
    while (await later.get(EventRunner).runDue());

    expect(await shop.query(`SELECT outcome, count(*)::int FROM trace WHERE status = 'COMPLETED' GROUP BY 1`)).toEqual([
      { outcome: 'applied', count: 10 },
    ]);
    expect(await shop.query('SELECT entity_type, count(*)::int FROM entities GROUP BY 1')).toEqual([
      { entity_type: 'customer', count: 10 },
    ]);
    const letter = { event_id: verdicts[4]?.eventId, status: 'dead', reject_reason: 'event.undecidable' };
    expect(await shop.query(`SELECT event_id, status, reject_reason FROM work WHERE kind = 'event'`)).toEqual([letter]);
    expect(await shop.query(`SELECT event_id, code FROM trace WHERE status = 'DEAD'`)).toEqual([
      { event_id: letter.event_id, code: 'event.undecidable' },
    ]);
  });
});

/** The contract after somebody has taken orders out of it, where a failed attempt is the last one. */
function withoutOrders(contract: Contract): Contract {
  const entityTypes = new Map(contract.entityTypes);
  entityTypes.delete('order');
  const retry = { ...contract.settings.retry, maxRetry: 0 };
  return { ...contract, entityTypes, settings: { ...contract.settings, retry } };
}
