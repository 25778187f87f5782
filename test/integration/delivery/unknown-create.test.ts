import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, runShop } from './running-shop.js';

describe.each(BACKENDS)('a create of which nobody knows whether it succeeded (%s)', (backend) => {
  const shop = runShop(backend);

  const methods = async (): Promise<string[]> => (await shop.erp.calls()).map(({ method }) => method);
  const pendingCreate = async (externalId: string): Promise<{ internal_id: string; state: string } | undefined> =>
    (
      await shop.query<{ internal_id: string; state: string }>(
        `SELECT pending.internal_id, pending.state FROM mappings pending JOIN mappings source USING (internal_id)
          WHERE pending.system = 'erp' AND source.system = 'crm' AND source.external_id = $1`,
        [externalId],
      )
    )[0];

  test('is looked up, and the one record that is found is adopted and brought up to date', async () => {
    await shop.erp.scriptFaults([{ kind: 'timeout_after_applying', ms: 10, method: 'POST' }]);
    await shop.send({ externalId: 'C-1' });
    await eventually(async () => expect(await shop.delivery('C-1')).toMatchObject({ status: 'delivered' }));
    expect(await methods()).toEqual(['POST', 'GET', 'PUT']);
    const [record, ...others] = await shop.erp.records('customers');
    expect(others).toEqual([]);
    expect(await shop.query(`SELECT external_id FROM mappings WHERE system = 'erp'`)).toEqual([
      { external_id: record?.id },
    ]);
  });

  test('is created again with the same key where nothing is found', async () => {
    await shop.erp.scriptFaults([{ kind: 'timeout_before_applying', ms: 10, method: 'POST' }]);
    await shop.send({ externalId: 'C-2' });
    await eventually(async () => expect(await shop.delivery('C-2')).toMatchObject({ status: 'delivered' }));
    const calls = await shop.erp.calls();
    const creates = calls.filter(({ method }) => method === 'POST');
    expect(creates).toHaveLength(2);
    expect(creates[0]?.headers['idempotency-key']).toMatch(/^create:erp:/);
    expect(creates[1]?.headers['idempotency-key']).toBe(creates[0]?.headers['idempotency-key']);
    expect(calls.map(({ method }) => method).slice(0, 3)).toEqual(['POST', 'GET', 'POST']);
    expect(await shop.erp.records('customers')).toHaveLength(1);
  });

  test('is looked up again, and not repeated, when the second try was put off', async () => {
    await shop.erp.scriptFaults([
      { kind: 'timeout_after_applying', ms: 10, method: 'POST' },
      // The look comes too early to see the record, and the second create is put off.
      { kind: 'status', status: 200, body: [], method: 'GET' },
      { kind: 'status', status: 429, retry_after: 0, method: 'POST' },
    ]);
    await shop.send({ externalId: 'C-5' });
    await eventually(async () => expect(await shop.delivery('C-5')).toMatchObject({ status: 'delivered' }));
    expect((await methods()).slice(0, 4)).toEqual(['POST', 'GET', 'POST', 'GET']);
    expect(await shop.erp.records('customers')).toHaveLength(1);
  });

  test('stays unknown where several records are found: a question for a person, and no further create', async () => {
    await shop.erp.scriptFaults([
      { kind: 'timeout_after_applying', ms: 10, method: 'POST' },
      { kind: 'status', status: 429, retry_after: 0, method: 'GET', times: '*' },
    ]);
    const eventId = await shop.send({ externalId: 'C-3' });
    await eventually(async () => expect(await pendingCreate('C-3')).toMatchObject({ state: 'unknown' }));
    const internalId = (await pendingCreate('C-3'))?.internal_id ?? '';
    await fetch(`${shop.erp.url}/customers`, { method: 'POST', body: JSON.stringify({ ref: internalId }) });
    await shop.erp.scriptFaults([]);

    await eventually(async () =>
      expect(await shop.delivery('C-3')).toMatchObject({ status: 'dead', last_code: 'create.ambiguous' }),
    );
    expect(await pendingCreate('C-3')).toMatchObject({ state: 'unknown' });
    expect((await shop.trace(eventId)).at(-1)).toMatchObject({ status: 'DEAD', code: 'create.ambiguous' });
    const ids = (await shop.erp.records('customers')).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const [conflict] = await shop.query<{ kind: string; candidates: string }>(
      'SELECT kind, candidates FROM conflicts WHERE internal_id = $1',
      [internalId],
    );
    expect(conflict?.kind).toBe('find');
    expect(JSON.parse(conflict?.candidates ?? '')).toEqual(ids.map((id) => ({ system: 'erp', external_id: id })));
  });

  test('is given up, and not repeated, where the contract declares no way to look', async () => {
    await shop.erp.scriptFaults([{ kind: 'timeout_after_applying', ms: 10, method: 'POST' }]);
    const eventId = await shop.send({ eventType: 'order.updated', externalId: 'O-1' });
    await eventually(async () =>
      expect(await shop.delivery('O-1')).toMatchObject({ status: 'dead', last_code: 'create.unknown' }),
    );
    expect((await shop.trace(eventId)).at(-1)).toMatchObject({ status: 'DEAD', code: 'create.unknown' });
    await shop.send({ eventType: 'order.updated', externalId: 'O-1', version: 2 });
    await eventually(async () =>
      expect(await shop.delivery('O-1')).toMatchObject({ wanted_revision: 2n, attempts: 3, status: 'dead' }),
    );
    expect(await methods()).toEqual(['POST']);
  });
});
