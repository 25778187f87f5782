import { describe, expect, test } from '@jest/globals';
import { newInternalId } from '../../../src/domain/ids.js';
import { WriteBack } from '../../../src/operations/mappings/write-back.js';
import { wireShop } from '../../support/wired-shop.js';

describe('a link that contradicts one that exists', () => {
  const shop = wireShop();

  test('is one question with both candidates, however often it is asked, and overwrites nothing', async () => {
    const [holder, rival] = [newInternalId(Date.now()), newInternalId(Date.now())];
    const wish = { system: 'erp', entityType: 'customer', externalId: 'ERP-1', rawExternalId: 'ERP-1' };
    await shop.first.get(WriteBack).link({ ...wish, internalId: holder });
    const asked = Array.from({ length: 6 }, async (_, at) =>
      (at % 2 === 0 ? shop.first : shop.second).get(WriteBack).link({ ...wish, internalId: rival }),
    );
    expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(new Set(['taken']));
    expect(await shop.query('SELECT internal_id, external_id FROM mappings')).toEqual([
      { internal_id: holder, external_id: 'ERP-1' },
    ]);
    const conflicts = await shop.query<{ kind: string; candidates: string }>('SELECT kind, candidates FROM conflicts');
    expect(conflicts.map(({ kind, candidates }) => ({ kind, candidates: JSON.parse(candidates) as unknown }))).toEqual([
      {
        kind: 'link',
        candidates: [
          { role: 'asked', system: 'erp', external_id: 'ERP-1', internal_id: rival },
          { role: 'held', system: 'erp', external_id: 'ERP-1', internal_id: holder },
        ],
      },
    ]);
  });
});
