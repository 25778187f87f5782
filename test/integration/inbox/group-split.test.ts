import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { wireShop } from '../../support/wired-shop.js';

describe('an event that PostgreSQL refuses', () => {
  const shop = wireShop();

  /** Longer than a row of a B-tree may be, and random so that it cannot be compressed below that. */
  const unstorable = () => ({
    ...shop.event({ externalId: 'too-long' }),
    idempotencyKey: randomBytes(3000).toString('hex'),
  });

  test('never harms its group: the others are accepted, and it alone is told', async () => {
    const inbox = shop.first.get(InboxService);
    const good = Array.from({ length: 8 }, (_, at) => shop.event({ externalId: `neighbour-${at}` }));
    const group = [...good.slice(0, 3), unstorable(), ...good.slice(3), unstorable()];
    const ends = await Promise.allSettled(group.map(async (event) => inbox.remember(event)));
    expect(
      ends.map((end) => (end.status === 'fulfilled' ? end.value.kind : (end.reason as { code: string }).code)),
    ).toEqual([
      ...Array<string>(3).fill('accepted'),
      'event.unstorable',
      ...Array<string>(5).fill('accepted'),
      'event.unstorable',
    ]);
    const [stored] = await shop.query('SELECT count(*)::int AS events FROM events');
    expect(stored).toEqual({ events: 8 });
  });
});
