import { afterEach, describe, expect, test } from '@jest/globals';
import { ContractsService, type Activation } from '../../../src/operations/contracts/contracts.service.js';
import { holdLock } from '../../support/hold-lock.js';
import { wireShop } from '../../support/wired-shop.js';

/** A contract that says as much as these tests need. */
function contractText({ key, note = '' }: { readonly key?: string; readonly note?: string }): string {
  const rule = `{ event_type: customer.updated, idempotency_key: '${key ?? ''}', entity: { type: customer, external_id: '{/id}' } }`;
  return `# ${note}
systems: { crm: { ingest: { auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }, webhooks: [${key === undefined ? '' : rule}] } } }
entities: { customer: { order_by: arrival } }
events: { customer.updated: { entity: customer, strategy: ignore } }
`;
}

describe('the active contract', () => {
  const shop = wireShop();

  const activate = async (text: string, at = 0, acceptance?: { by: string; against: number }): Promise<Activation> =>
    (at % 2 === 0 ? shop.first : shop.second).get(ContractsService).activate(text, acceptance);
  const numberOf = async (text: string, at = 0): Promise<number> => {
    const activation = await activate(text, at);
    if (activation.kind === 'refused') throw new Error(`Refused: ${JSON.stringify(activation.dangers)}`);
    return activation.number;
  };
  const kept = async () =>
    (await shop.first.get(ContractsService).list()).map(({ number, is_active }) => ({ number, is_active }));
  const storeKey = async (scope: string): Promise<unknown> =>
    shop.query(
      `INSERT INTO idempotency_keys (scope, idempotency_key, event_id, fingerprint)
       VALUES ($1, 'k', gen_random_uuid(), 'f')`,
      [scope],
    );

  afterEach(async () => shop.query('TRUNCATE contracts, idempotency_keys, mappings'));

  test('gets one number, however many processes start at once with its text', async () => {
    const text = contractText({ key: '{/key}' });
    const numbers = await Promise.all(Array.from({ length: 20 }, async (_, at) => numberOf(text, at)));
    expect(new Set(numbers)).toEqual(new Set([1]));
    expect(await kept()).toEqual([{ number: 1, is_active: true }]);
  });

  test('of many texts at once: each gets a number of its own, without a gap, and one of them is active', async () => {
    const texts = Array.from({ length: 16 }, (_, at) => contractText({ note: `text ${at}` }));
    const numbers = await Promise.all(texts.map(numberOf));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(texts.map((_, at) => at + 1));
    expect((await kept()).filter(({ is_active }) => is_active)).toHaveLength(1);
  });

  test('keeps its number when it is active again, and the others theirs', async () => {
    const [first, second] = [contractText({ note: 'first' }), contractText({ note: 'second' })];
    expect(await numberOf(first)).toBe(1);
    expect(await numberOf(second)).toBe(2);
    expect(await numberOf(first)).toBe(1);
    expect(await kept()).toEqual([
      { number: 2, is_active: false },
      { number: 1, is_active: true },
    ]);
    const [before] = await shop.query('SELECT * FROM contracts WHERE number = 1');
    expect(await numberOf(first)).toBe(1);
    expect(await shop.query('SELECT * FROM contracts WHERE number = 1')).toEqual([before]);
  });

  test('changes a key template as long as no key is stored, in this event type and from this system', async () => {
    await storeKey('erp:customer.updated');
    await storeKey('crm:customer.made');
    expect(await numberOf(contractText({ key: '{/key}' }))).toBe(1);
    expect(await numberOf(contractText({ key: '{/id}' }))).toBe(2);
  });

  test('does not change where a key is stored, until that is accepted', async () => {
    const [former, newer] = [contractText({ key: '{/key}' }), contractText({ key: '{/id}' })];
    await numberOf(former);
    await storeKey('crm:customer.updated');
    expect(await activate(newer)).toMatchObject({
      kind: 'refused',
      against: 1,
      dangers: [{ change: { kind: 'key_template', before: '{/key}', after: '{/id}' }, endangered: { rows: 1 } }],
    });
    expect(await kept()).toEqual([{ number: 1, is_active: true }]);
    expect(await activate(newer, 0, { by: 'ada', against: 2 })).toMatchObject({ kind: 'refused' });
    expect(await activate(newer, 0, { by: 'ada', against: 1 })).toEqual({ kind: 'active', number: 2 });
    expect(await numberOf(newer, 1)).toBe(2);
    expect(await shop.first.get(ContractsService).find(2)).toMatchObject({
      accepted_by: 'ada',
      accepted_at: expect.any(String),
      accepted_against: 1,
      is_active: true,
    });
    // The way back contradicts what is stored just as much.
    expect(await activate(former)).toMatchObject({ kind: 'refused', against: 2 });
  });

  test('an acceptance that nothing needed leaves no mark', async () => {
    await numberOf(contractText({ note: 'a' }));
    expect(await activate(contractText({ note: 'b' }), 0, { by: 'ada', against: 1 })).toMatchObject({ number: 2 });
    expect(await shop.first.get(ContractsService).find(2)).toMatchObject({ accepted_by: null, accepted_at: null });
  });

  test('is refused without keeping other activations waiting, while what is stored is looked through', async () => {
    await numberOf(contractText({ key: '{/key}' }));
    await storeKey('crm:customer.updated');
    const activation = await holdLock(shop.databaseUrl, 'LOCK TABLE contracts IN SHARE ROW EXCLUSIVE MODE');
    try {
      expect(await activate(contractText({ key: '{/id}' }))).toMatchObject({ kind: 'refused', against: 1 });
    } finally {
      await activation.release();
    }
  });

  test('two texts at once that each agree with the active one, but not with one another: one is refused', async () => {
    await storeKey('crm:customer.updated');
    for (let round = 0; round < 10; round++) {
      const base = await numberOf(contractText({ note: `round ${round}` }));
      const rivals = [
        contractText({ key: '{/a}', note: `a ${round}` }),
        contractText({ key: '{/b}', note: `b ${round}` }),
      ];
      const ends = await Promise.all(rivals.map(async (text, at) => activate(text, at)));
      expect(ends.map(({ kind }) => kind).toSorted()).toEqual(['active', 'refused']);
      const winner = ends.flatMap((end) => (end.kind === 'active' ? end.number : []));
      expect(winner).toEqual([base + 1]);
      expect(ends.flatMap((end) => (end.kind === 'refused' ? end.against : []))).toEqual(winner);
    }
  });
});
