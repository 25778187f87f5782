import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { BACKENDS, runShop } from './running-shop.js';

describe.each(BACKENDS)('an answer that nobody could have thought of (%s)', (backend) => {
  const shop = runShop(backend);

  test.each([
    ['an error text that is cut in the middle of a character', 400, { error: `${'x'.repeat(280)}${'😀'.repeat(20)}` }],
    ['an error text with NUL', 400, { error: 'a\u0000b' }],
  ])('%s ends as a dead letter with its reason', async (what, status, body) => {
    await shop.erp.scriptFaults([{ kind: 'status', status, body, method: 'POST' }]);
    await shop.send({ externalId: what });
    await eventually(async () =>
      expect(await shop.delivery(what)).toMatchObject({ status: 'dead', last_code: 'target.refused', attempts: 1 }),
    );
  });

  test.each([
    ['an id with NUL', 'E\u0000'],
    ['an id that is longer than any', 'E'.repeat(5_000)],
  ])('%s is an unreadable answer: it is looked for, and the record is adopted', async (what, id) => {
    await shop.erp.scriptFaults([
      { kind: 'status', status: 201, body: { id }, method: 'POST' },
      { kind: 'status', status: 200, body: [{ id: `E-${what.length}` }], method: 'GET' },
    ]);
    await shop.send({ externalId: what });
    await eventually(async () => expect((await shop.erp.calls()).map(({ method }) => method)).toContain('GET'));
    await eventually(async () =>
      expect(
        await shop.query(`SELECT external_id FROM mappings WHERE system = 'erp' AND external_id = $1`, [
          `E-${what.length}`,
        ]),
      ).toHaveLength(1),
    );
  });

  test('an id that a path cannot hold calls nothing at all', async () => {
    await shop.query(`UPDATE work SET status = 'dead', dead_at = now(), lease_until = NULL WHERE kind = 'delivery'`);
    await shop.send({ externalId: 'dots' });
    await eventually(async () => expect(await shop.delivery('dots')).toMatchObject({ status: 'delivered' }));
    await shop.query(
      `UPDATE mappings SET external_id = '..', raw_external_id = '..'
        WHERE system = 'erp' AND internal_id = (SELECT internal_id FROM mappings WHERE external_id = 'dots')`,
    );
    await shop.erp.clearCalls();
    await shop.send({ externalId: 'dots', version: 2 });
    await eventually(async () =>
      expect(await shop.delivery('dots')).toMatchObject({ status: 'dead', last_code: 'target.unmappable' }),
    );
    expect(await shop.erp.calls()).toEqual([]);
  });
});
