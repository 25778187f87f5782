import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { EventRunner } from '../../../src/flow/process-event/event-runner.js';
import type { ShopEvent } from '../../support/shop-event.js';
import { wireShop } from '../../support/wired-shop.js';

interface TraceRow {
  readonly status: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly revision: bigint;
  readonly attempt: number;
  readonly external_id: string;
  readonly at: string;
  readonly hops: string;
}

describe('the trace of a processed event', () => {
  const shop = wireShop();

  async function traceOf(event: ShopEvent): Promise<TraceRow[]> {
    const { eventId } = await shop.first.get(InboxService).remember(shop.event(event));
    while (await shop.first.get(EventRunner).runDue());
    return shop.query<TraceRow>('SELECT * FROM trace WHERE event_id = $1', [eventId]);
  }

  test('is one row that tells its outcome and the way from its receipt, in order of time', async () => {
    const rows = await traceOf({ externalId: 'C-1', version: 2 });
    expect(rows).toMatchObject([
      { status: 'COMPLETED', outcome: 'applied', code: null, revision: 1n, attempt: 1, external_id: 'C-1' },
    ]);
    const hops = JSON.parse(rows[0]?.hops ?? '[]') as { status: string; at: string }[];
    expect(hops.map(({ status }) => status)).toEqual(['RECEIVED', 'PROCESSING']);
    const times = [...hops.map(({ at }) => at), rows[0]?.at ?? ''];
    expect(times).toEqual(times.toSorted());
  });

  test.each([
    ['stale', 'version.stale', { externalId: 'C-1', version: 1 }],
    ['unchanged', 'content.unchanged', { externalId: 'C-1', version: 3, payload: '{"name":"C-1 v2"}' }],
    ['conflict', 'version.conflict', { externalId: 'C-1', version: 3, key: 'another key' }],
  ])('says why it is %s', async (outcome, code, event) => {
    expect(await traceOf(event)).toMatchObject([{ status: 'COMPLETED', outcome, code }]);
  });
});
