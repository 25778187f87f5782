import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, NO_SWEEP, runShop } from './running-shop.js';

describe.each(BACKENDS)('a delivery that fails, on %s', (backend) => {
  const shop = runShop(backend, NO_SWEEP);

  test('is tried again by delayed alarms until it succeeds', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 503, times: 2 }]);
    const eventId = await shop.send({ externalId: 'C-1' });
    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered', attempts: 3 }),
    );
    expect((await shop.erp.calls()).map(({ status }) => status)).toEqual([503, 503, 201]);
    expect(await shop.trace(eventId)).toEqual([
      { node: 'worker', status: 'COMPLETED', code: null },
      { node: 'erp', status: 'FAILED', code: 'target.failed' },
      { node: 'erp', status: 'FAILED', code: 'target.failed' },
      { node: 'erp', status: 'DELIVERED', code: null },
    ]);
  });

  test('becomes a dead letter after the last attempt, with the reason of that one', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 503, times: '*' }]);
    const eventId = await shop.send({ externalId: 'C-2' });
    await eventually(async () =>
      expect(await shop.delivery('C-2')).toMatchObject({ status: 'dead', last_code: 'retry.exhausted' }),
    );
    expect(await shop.erp.calls()).toHaveLength(1 + 3);
    expect((await shop.trace(eventId)).at(-1)).toEqual({ node: 'erp', status: 'DEAD', code: 'retry.exhausted' });
  });

  test('spends no attempt while the target asks for fewer calls', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 429, retry_after: 0, times: 6 }]);
    await shop.send({ externalId: 'C-3' });
    await eventually(async () => expect(await shop.delivery('C-3')).toMatchObject({ status: 'delivered' }));
    expect(await shop.erp.calls()).toHaveLength(7);
  });

  test('is given up at once where the target says that it will never do', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 422, body: { error: 'no such country' }, times: '*' }]);
    await shop.send({ externalId: 'C-4' });
    await eventually(async () => expect(await shop.delivery('C-4')).toMatchObject({ status: 'dead' }));
    expect(await shop.delivery('C-4')).toMatchObject({
      last_code: 'target.refused',
      last_detail: expect.stringContaining('no such country'),
    });
    expect(await shop.erp.calls()).toHaveLength(1);
  });
});
