import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, runShop } from './running-shop.js';

describe.each(BACKENDS)('alarms that %s has lost', (backend) => {
  const retry = { maxRetry: 3, backoffBaseSeconds: 1, backoffJitterMs: 0, capSeconds: 1 };
  const shop = runShop(backend, { retry });

  test('are not missed: the sweep finds the work that is due, and delivers it once', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 503, times: 5 }]);
    const externalIds = ['C-1', 'C-2', 'C-3', 'C-4', 'C-5'];
    await Promise.all(externalIds.map(async (externalId) => shop.send({ externalId })));
    await eventually(async () => {
      for (const externalId of externalIds)
        expect(await shop.delivery(externalId)).toMatchObject({ status: 'retrying' });
    });
    await shop.loseAlarms();
    await eventually(async () => {
      for (const externalId of externalIds)
        expect(await shop.delivery(externalId)).toMatchObject({ status: 'delivered' });
    });
    const applied = (await shop.erp.calls()).filter((call) => call.applied);
    expect(applied).toHaveLength(5);
    expect(await shop.erp.records('customers')).toHaveLength(5);
  });

  test('stop nothing that comes after them', async () => {
    await shop.loseAlarms();
    await shop.send({ externalId: 'C-6' });
    await eventually(async () => expect(await shop.delivery('C-6')).toMatchObject({ status: 'delivered' }));
  });
});
