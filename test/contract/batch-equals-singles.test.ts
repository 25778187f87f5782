import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CODES, type Code } from '../../src/domain/sync-error.js';
import { serveShop, type Answer } from './shop-api.js';

/** Stands in every good key and id, so that each sequence begins anew. Keys of two systems never meet each other. */
const NAMESPACE = 'NAMESPACE';
const SEED = Number(process.env['BATCH_SEED'] ?? 1);
const SEQUENCES = 60;

type Item = Readonly<Record<string, unknown>>;

/** So few keys, versions and contents that copies and conflicts are the rule. */
const goodItem: fc.Arbitrary<Item> = fc
  .record({ key: fc.integer({ min: 0, max: 2 }), version: fc.integer({ min: 1, max: 2 }), content: fc.nat(1) })
  .map(({ key, version, content }) => ({
    idempotency_key: `${NAMESPACE}:${key}`,
    event_type: 'customer.updated',
    entity: { type: 'customer', external_id: `${NAMESPACE}-${key}` },
    version,
    payload: { name: `content ${content}` },
  }));

const hostileValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', '\u0000', 'a\u0000', 'e\u0301', -1, 1.5, 1e30, [], {}, [[1]], { a: 1 }),
  fc.constantFrom<unknown>('x'.repeat(256), 'k'.repeat(2_049), '9'.repeat(39), '2999-01-01T00:00:00Z', 'yesterday'),
  fc.constantFrom<unknown>('order', 'nobody', 'erp', 'order.updated', 'shipment.moved', 'payment.completed', '007'),
);

const partName = fc.constantFrom(
  ...['idempotency_key', 'event_type', 'entity', 'version', 'payload', 'occurred_at', 'correlation_id'],
  ...['links', 'retry', '__proto__', '', 'a/b~c', 'unknown'],
);

const mutatedItem: fc.Arbitrary<Item> = fc.oneof(
  fc.tuple(goodItem, partName, hostileValue).map(([item, name, value]) => including(item, name, value)),
  fc.tuple(goodItem, partName).map(([item, name]) => without(item, name)),
  fc
    .tuple(goodItem, fc.constantFrom('type', 'external_id', 'system', 'x'), hostileValue)
    .map(([item, name, value]) => including(item, 'entity', including(item['entity'] as Item, name, value))),
);

const item = fc.oneof(
  { weight: 5, arbitrary: goodItem },
  { weight: 4, arbitrary: mutatedItem },
  { weight: 1, arbitrary: hostileValue },
);

describe('a batch answers each of its items as the single call would', () => {
  const shop = serveShop({}, 'api');
  let sequences = 0;

  test('for sequences of good, mutated and hostile items, with keys that come again', async () => {
    console.log(`BATCH_SEED=${SEED}`);
    const sequence = fc.array(item, { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(sequence, async (items) => {
      const at = String(1_000 + sequences++);
      const bodies = items.map((item) => JSON.stringify(item).replaceAll(NAMESPACE, at));
      const singles: Answer[] = [];
      for (const body of bodies) singles.push(await shop.ask('crm', 'POST /v1/events', { body }));
      const batch = await shop.ask('erp', 'POST /v1/events/batch', { body: `[${bodies.join()}]` });
      expect(batch.status).toBe(200);
      const results = batch.body?.['results'] as Item[];
      expect(results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
      expect(comparable(results)).toEqual(comparable(singles.map(asResult)));
    });
    const allFail: [unknown[]] = [[null, {}, [], 'x', { event_type: 1 }]];
    await fc.assert(property, { numRuns: SEQUENCES, seed: SEED, examples: [allFail] });
  });
});

/** The answer to a single call in the words of a batch's result. */
function asResult({ status, body = {} }: Answer): Item {
  const { code, detail, at, verdict } = body;
  if (status < 300) return body;
  if (verdict === 'conflict') {
    return { verdict, reason_code: code, event_id: body['event_id'], conflict_event_id: body['conflict_event_id'] };
  }
  const { retryable, status: declared } = CODES[code as Code];
  expect(status).toBe(declared);
  return { verdict: 'refused', code, detail, ...(at === undefined ? {} : { at }), retryable };
}

/** Without what differs from call to call: ids become the order of their first appearance, in which equal ids stay equal. */
function comparable(results: readonly Item[]): unknown {
  const ids = new Map<string, string>();
  return results.map((result) => {
    const rest = without(without(result, 'index'), 'correlation_id');
    const named = JSON.stringify(rest).replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/g, (id) => {
      ids.set(id, ids.get(id) ?? `id ${ids.size}`);
      return ids.get(id) ?? '';
    });
    return JSON.parse(named) as unknown;
  });
}

function including(item: Item, name: string, value: unknown): Item {
  return Object.fromEntries([...Object.entries(item).filter(([kept]) => kept !== name), [name, value]]);
}

function without(item: Item, name: string): Item {
  return Object.fromEntries(Object.entries(item).filter(([kept]) => kept !== name));
}
