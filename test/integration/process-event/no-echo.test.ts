import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import { wireShop } from '../../support/wired-shop.js';

describe('the source of a change is not its target', () => {
  const shop = wireShop();

  async function targetsOfCountBy(source: string): Promise<readonly string[]> {
    const event = shop.event({ eventType: 'stock.counted', source, externalId: `counted-by-${source}` });
    await shop.first.get(InboxService).remember(event);
    while (await shop.first.get(EventRunner).runDue());
    const rows = await shop.query<{ target: string }>(
      `SELECT deliveries.target FROM deliveries JOIN mappings USING (internal_id)
        WHERE mappings.external_id = $1 ORDER BY 1`,
      [event.entity.externalId],
    );
    return rows.map(({ target }) => target);
  }

  test.each([
    ['crm', ['erp', 'wms']],
    ['wms', ['erp']],
    ['erp', ['wms']],
  ])('what %s counted goes to %j', async (source, targets) => {
    expect(await targetsOfCountBy(source)).toEqual(targets);
  });
});
