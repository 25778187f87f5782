import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { NO_SWEEP, runShop } from './running-shop.js';

describe('a deleted entity and a target without a way to delete', () => {
  const shop = runShop('redis', NO_SWEEP);
  const isDeleted = { eventType: 'customer.deleted', payload: '{}' };

  const reached = async (externalId: string, revision: bigint): Promise<void> =>
    eventually(async () =>
      expect(await shop.delivery(externalId)).toMatchObject({ status: 'delivered', reached_revision: revision }),
    );
  const methods = async (): Promise<string[]> => (await shop.erp.calls()).map(({ method }) => method);

  test('the delivery ends without a call and says why; what is said later is delivered again', async () => {
    await shop.send({ externalId: 'C-1', version: 1 });
    await reached('C-1', 1n);
    const eventId = await shop.send({ externalId: 'C-1', version: 2, ...isDeleted });
    await reached('C-1', 2n);

    expect(await methods()).toEqual(['POST']);
    expect(await shop.delivery('C-1')).toMatchObject({ last_code: 'entity.deleted' });
    expect((await shop.trace(eventId)).at(-1)).toEqual({ node: 'erp', status: 'DELIVERED', code: 'entity.deleted' });

    await shop.send({ externalId: 'C-1', version: 3 });
    await reached('C-1', 3n);
    expect(await methods()).toEqual(['POST', 'PUT']);
    expect(await shop.delivery('C-1')).toMatchObject({ last_code: null });
  });

  test('a create that did not come about yet is never made', async () => {
    await shop.erp.scriptFaults([{ kind: 'status', status: 429, method: 'POST', times: '*' }]);
    await shop.send({ externalId: 'C-2', version: 1 });
    await eventually(async () => expect(await methods()).toContain('POST'));
    await shop.send({ externalId: 'C-2', version: 2, ...isDeleted });
    await reached('C-2', 2n);

    expect(await shop.erp.records('customers')).toEqual([]);
    expect(await shop.delivery('C-2')).toMatchObject({ last_code: 'entity.deleted' });
    expect(await shop.query(`SELECT key FROM work WHERE kind = 'delivery'`)).toEqual([]);
  });
});
