import { expect, test } from '@jest/globals';
import { InboxService } from '../../../src/flow/inbox/inbox.service.js';
import { ParkingService, type Parked } from '../../../src/flow/parking/parking.service.js';
import { LeaseLost, type Claim } from '../../../src/flow/work/work.js';
import { WorkService } from '../../../src/flow/work/work.service.js';
import { wireShop } from '../../support/wired-shop.js';

const shop = wireShop();

test('a worker whose claim was taken over cannot park it, and whatever else its transaction did is undone', async () => {
  await shop.first.get(InboxService).remember(shop.event({ externalId: 'C-1' }));
  const [slow] = await shop.first.get(WorkService).claimDue('event', 1, 60_000);
  await shop.query(`UPDATE work SET lease_until = now() - interval '1 second'`);
  const quick = await shop.second.get(WorkService).takeOverExpired('event', 60_000);
  if (slow === undefined || quick === undefined) throw new Error('There was no claim to be had.');

  const before = await shop.query('SELECT * FROM work');
  const error: unknown = await parkWith(slow).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LeaseLost);
  expect(error).toMatchObject({ keys: [slow.key] });
  expect(await shop.query('SELECT * FROM conflicts')).toEqual([]);
  expect(await shop.query('SELECT * FROM work')).toEqual(before);

  await parkWith(quick);
  expect(await shop.query('SELECT status FROM work')).toEqual([{ status: 'waiting' }]);
});

async function parkWith(claim: Claim): Promise<void> {
  const thing = { kind: 'mapping', system: 'crm', type: 'customer', externalId: 'C-2' } as const;
  const parked: Parked = { claim, things: [thing], code: 'reference.missing', detail: 'It refers to C-2.' };
  await shop.first.database.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO conflicts (conflict_id, kind, subject, candidates) VALUES (gen_random_uuid(), 'find', 'effect', '[]')`,
    );
    await shop.first.get(ParkingService).park(tx, [parked]);
  });
}
