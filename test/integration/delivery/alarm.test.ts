import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, NO_SWEEP, runShop } from './running-shop.js';

describe.each(BACKENDS)('an alarm on %s', (backend) => {
  const shop = runShop(backend, NO_SWEEP);

  test('brings the change to the target at once, with its digits and our headers, and the new id into the map', async () => {
    const payload = '{"name":"Ada","limit":9007199254740993,"rate":100.00}';
    const eventId = await shop.send({ externalId: 'C-1', payload, correlationId: 'checkout-7' });
    await eventually(async () =>
      expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered', attempts: 1 }),
    );

    const [record, ...others] = await shop.erp.records('customers');
    expect(others).toEqual([]);
    const [mapping] = await shop.query<{ internal_id: string; external_id: string }>(
      `SELECT internal_id, external_id FROM mappings WHERE system = 'erp'`,
    );
    expect(mapping?.external_id).toBe(record?.id);
    expect(record?.raw).toBe(`{"ref":"${mapping?.internal_id}","name":"Ada","limit":9007199254740993,"rate":100.00}`);
    const [call, ...furtherCalls] = await shop.erp.calls();
    expect(furtherCalls).toEqual([]);
    expect(call?.headers).toEqual({
      'idempotency-key': `create:erp:${mapping?.internal_id}`,
      'x-correlation-id': 'checkout-7',
      traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    });
    expect(await shop.trace(eventId)).toEqual([
      { node: 'worker', status: 'COMPLETED', code: null },
      { node: 'erp', status: 'DELIVERED', code: null },
    ]);
  });
});
