import { expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { NO_SWEEP, runShop } from './running-shop.js';

const shop = runShop('redis', NO_SWEEP);

test('a body may carry the state of its entity, which is the initial one until something moves it', async () => {
  const raw = async () => (await shop.erp.records('orders'))[0]?.raw;
  await shop.send({ eventType: 'parcel.weighed', externalId: 'P-1', version: 1 });
  await eventually(async () => expect(await raw()).toContain('"state":"packed"'));

  await shop.query(`UPDATE entities SET state = 'sent', path = '[{"state":"packed"},{"state":"sent","order":"1"}]'`);
  await shop.send({ eventType: 'parcel.weighed', externalId: 'P-1', version: 2 });
  await eventually(async () => expect(await raw()).toContain('"state":"sent"'));
});
