import { describe, expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { holdLock } from '../../support/hold-lock.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a key that a frozen process is just inserting', () => {
  const shop = wireShop();

  test('makes its own event wait and no other: 503, and the event is accepted once the key is free', async () => {
    const inbox = shop.first.get(InboxService);
    const blocked = shop.event({ externalId: 'blocked' });
    const frozen = await holdLock(
      shop.databaseUrl,
      `INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
       VALUES ($1, $2, gen_random_uuid(), 'of the frozen process')`,
      [blocked.scope, blocked.idempotencyKey],
    );

    const group = [blocked, shop.event({ externalId: 'left' }), shop.event({ externalId: 'right' })];
    const [ofBlocked, ...ofOthers] = await Promise.allSettled(group.map(async (event) => inbox.remember(event)));
    await frozen.release();
    expect(ofOthers).toMatchObject([{ value: { kind: 'accepted' } }, { value: { kind: 'accepted' } }]);
    expect(ofBlocked).toMatchObject({ reason: { code: 'storage.unavailable', retryAfterSeconds: expect.any(Number) } });

    expect(await inbox.remember(blocked)).toMatchObject({ kind: 'accepted' });
  });
});
