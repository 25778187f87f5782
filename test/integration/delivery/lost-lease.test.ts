import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, runShop } from './running-shop.js';

describe.each(BACKENDS)('a call whose worker lost its lease meanwhile (%s)', (backend) => {
  // The newest state is sent again once the late call cannot last any longer: the shortest lease that its time-outs allow.
  const shop = runShop(backend, { leaseMs: 4_000 });

  test('makes the delivery dirty, and the newest state is sent again', async () => {
    await shop.send({ externalId: 'C-1', version: 1 });
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered' }));

    await shop.erp.scriptFaults([{ kind: 'delay', ms: 800 }]);
    await shop.erp.clearCalls();
    await shop.send({ externalId: 'C-1', version: 2 });
    await eventually(async () => expect(await shop.erp.calls()).toHaveLength(1));
    await shop.query(`UPDATE work SET lease_until = now() - interval '1 second' WHERE kind = 'delivery'`);
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ reached_revision: 2n }));
    await shop.send({ externalId: 'C-1', version: 3 });

    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({
        status: 'delivered',
        reached_revision: 3n,
        // Once by the worker that took over, once by the one that found its lease gone.
        dirty_seq: 2n,
        clean_seq: 2n,
      }),
    );
    const calls = await shop.erp.calls();
    const [late] = calls;
    // Whatever the late call did to the record, another one came after its end.
    const after = calls.filter(({ at }) => at > (late?.answered_at ?? '~'));
    expect(after.length).toBeGreaterThan(0);
    // A target that remembers keys must not take the newest state for a repetition.
    expect(new Set(calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(calls.length);
    const [record] = await shop.erp.records('customers');
    expect(JSON.parse(record?.raw ?? '')).toMatchObject({ name: 'C-1 v3' });
    expect(await shop.query(`SELECT * FROM work WHERE kind = 'delivery'`)).toEqual([]);
  });
});
