import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import type { ShopEvent } from '../../support/shop-event.js';
import type { WiredShop } from '../../support/wired-shop.js';

/** An event that was given up as one that ended five workers. Resolves to its id. */
export async function deadEvent(shop: WiredShop, event: ShopEvent): Promise<string> {
  const { eventId } = await shop.first.get(InboxService).remember(shop.event(event));
  await shop.query(
    `UPDATE work SET status = 'dead', dead_at = clock_timestamp(), retry_count = 1, claims = 6,
            reject_reason = 'work.poison', reject_detail = 'It ended its workers.'
      WHERE kind = 'event' AND key = $1`,
    [eventId],
  );
  return eventId;
}

/** What an operator asks for about a letter. */
export function wishAbout(letterId: string) {
  return { letterId, reason: 'The cause is gone.', operator: 'oscar', isDryRun: false, ifMatch: undefined };
}
