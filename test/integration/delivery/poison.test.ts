import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { runShop } from './running-shop.js';

describe('a delivery that ends its workers', () => {
  const shop = runShop('redis');

  test('is set aside after five of them, without a call', async () => {
    await shop.send({ externalId: 'C-1' });
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered' }));
    await shop.erp.clearCalls();
    // As five workers leave it that claimed it and did not come back.
    await shop.query(`UPDATE deliveries SET dirty_seq = dirty_seq + 1, status = 'due'`);
    await shop.query(
      `INSERT INTO work (kind, key, topic, internal_id, status, fence, lease_until, claims)
       SELECT 'delivery', 'erp:' || internal_id, 'erp', internal_id, 'processing', 1, now() - interval '1 s', 5
         FROM deliveries`,
    );
    await eventually(async () =>
      expect(await shop.query('SELECT status, reject_reason FROM work')).toEqual([
        { status: 'dead', reject_reason: 'work.poison' },
      ]),
    );
    expect(await shop.erp.calls()).toEqual([]);
  });
});
