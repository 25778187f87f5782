import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, NO_SWEEP, runShop } from './running-shop.js';

describe.each(BACKENDS)('a change that comes while a call about its entity is out (%s)', (backend) => {
  const shop = runShop(backend, NO_SWEEP);

  test('is delivered after that call, never beside it', async () => {
    await shop.erp.scriptFaults([{ kind: 'delay', ms: 500 }]);
    await shop.send({ externalId: 'C-1', version: 1 });
    await eventually(async () => expect(await shop.erp.calls()).toHaveLength(1));
    await shop.send({ externalId: 'C-1', version: 2 });
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ wanted_revision: 2n }));
    expect((await shop.erp.calls()).map(({ answered_at }) => answered_at)).toEqual([null]);

    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered', reached_revision: 2n }),
    );
    const [create, update, ...others] = await shop.erp.calls();
    expect([create?.method, update?.method, others]).toEqual(['POST', 'PUT', []]);
    const times = [create?.answered_at ?? '~', update?.at ?? ''];
    expect(times).toEqual(times.toSorted());
    const [record] = await shop.erp.records('customers');
    expect(JSON.parse(record?.raw ?? '')).toMatchObject({ name: 'C-1 v2' });
  });
});
