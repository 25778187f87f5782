import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, NO_SWEEP, runShop } from './running-shop.js';

describe.each(BACKENDS)('a delivery that was given up (%s)', (backend) => {
  const shop = runShop(backend, NO_SWEEP);

  test('is taken up again by a newer revision, and its dead letter ends as superseded', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 400 }]);
    const refused = await shop.send({ externalId: 'C-1', version: 1 });
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ status: 'dead' }));

    const newer = await shop.send({ externalId: 'C-1', version: 2 });
    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered', reached_revision: 2n }),
    );
    expect(await shop.trace(refused)).toEqual([
      { node: 'worker', status: 'COMPLETED', code: null },
      { node: 'erp', status: 'DEAD', code: 'target.refused' },
      { node: 'erp', status: 'SUPERSEDED', code: 'work.superseded' },
    ]);
    expect((await shop.trace(newer)).at(-1)).toEqual({ node: 'erp', status: 'DELIVERED', code: null });
    expect(await shop.query('SELECT * FROM work')).toEqual([]);
  });
});
