import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, runShop } from './running-shop.js';

describe.each(BACKENDS)('a target that was down (%s)', (backend) => {
  const retry = { maxRetry: 1000, backoffBaseSeconds: 0.05, backoffJitterMs: 0, capSeconds: 0.2 };
  const shop = runShop(backend, { retry });

  test('is brought from ten changes to the last state by one call', async () => {
    await shop.send({ externalId: 'C-1', version: 1 });
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered' }));
    await shop.erp.scriptFaults([{ kind: 'status', status: 503, times: '*' }]);
    for (let version = 2; version <= 11; version++) {
      await shop.send({ externalId: 'C-1', version });
      await eventually(async () =>
        expect(await shop.delivery('C-1')).toMatchObject({ wanted_revision: BigInt(version) }),
      );
    }
    await shop.erp.clearCalls();
    await shop.erp.scriptFaults([]);
    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered', reached_revision: 11n }),
    );
    const applied = (await shop.erp.calls()).filter((call) => call.applied);
    expect(applied.map(({ method }) => method)).toEqual(['PUT']);
    const [record] = await shop.erp.records('customers');
    expect(JSON.parse(record?.raw ?? '')).toMatchObject({ name: 'C-1 v11' });
  });
});
