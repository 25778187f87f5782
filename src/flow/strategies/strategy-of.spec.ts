import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { composeEntity } from '../../domain/compose.js';
import type { EntityType, EventType } from '../../domain/contract/contract.js';
import { canonicalJson } from '../../domain/json/canonical-json.js';
import { JsonNumber, type Json } from '../../domain/json/json.js';
import type { SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide } from './decision.js';
import { strategyOf } from './strategy-of.js';

const eventType = (strategy: EventType['strategy'], apply: EventType['apply'] = 'patch'): EventType => ({
  name: strategy,
  entity: 'customer',
  strategy,
  apply,
  deliverTo: [],
  sharedScope: [],
  volatile: [],
  references: [],
});
const CUSTOMER: EntityType = {
  name: 'customer',
  orderBy: 'version',
  compose: { default: ['crm'], fields: new Map() },
};

type Step = { readonly event: EventToDecide; readonly type: EventType };

/** The record after the events in this order, as text that says everything about it. */
function endOf(steps: readonly Step[]): string {
  let record: SourceRecord | undefined;
  for (const { event, type } of steps) {
    const decision = strategyOf(type)(event, record);
    if (decision.kind === 'apply') record = decision.record;
  }
  if (record === undefined) return 'nothing';
  const { data, orderValue, contentHash, fieldClocks } = record;
  const entity = composeEntity([{ source: 'crm', system: 'crm', externalId: '1', orderValue, data }], CUSTOMER);
  const clocks = [...fieldClocks].map(([field, { order, key }]) => `${field}@${order}/${key}`).sort();
  return [canonicalJson(data), canonicalJson(entity), orderValue, contentHash, ...clocks].join(' ');
}

const fields = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 3 })), {
    selector: ([field]) => field,
  })
  .map((members) => new Map<string, Json>(members.map(([field, value]) => [field, new JsonNumber(String(value))])));

/** Whole records, no two with one order value: two truths under one would be a question for a person. */
const replacements = fc.uniqueArray(fc.tuple(fc.nat(9), fields), { selector: ([order]) => order, maxLength: 5 });
/** Patches with a key each, ties among themselves and with whole records included. */
const patches = fc.array(fc.tuple(fc.nat(9), fields), { maxLength: 5 });

const steps: fc.Arbitrary<Step[]> = fc
  .tuple(replacements, patches)
  .map(([whole, parts]) => [
    ...whole.map(([order, content]) => step('overwrite', `r${order}`, order, content)),
    ...parts.map(([order, content], at) => step('ignore', `p${at}`, order, content)),
  ]);

function step(strategy: EventType['strategy'], key: string, order: number, content: ReadonlyMap<string, Json>): Step {
  const event = {
    idempotencyKey: key,
    orderValue: BigInt(order),
    fields: content,
    contentHash: canonicalJson(content),
  };
  return { event, type: eventType(strategy) };
}

/** The same events in another order, some of them several times. */
function reordered(all: readonly Step[]): fc.Arbitrary<Step[]> {
  const copies = fc.array(fc.constantFrom(...all), { maxLength: 10 });
  return copies.chain((more) => {
    const everything = [...all, ...more];
    return fc.shuffledSubarray(everything, { minLength: everything.length });
  });
}

describe('any order and any number of copies end in the same record and the same composed entity', () => {
  const shuffles = (some: fc.Arbitrary<Step[]>): fc.Arbitrary<readonly [Step[], Step[]]> =>
    some.filter(({ length }) => length > 0).chain((all) => fc.tuple(fc.constant(all), reordered(all)));

  test('for whole records', () => {
    const whole = steps.map((all) => all.filter(({ type }) => type.strategy === 'overwrite'));
    fc.assert(
      fc.property(shuffles(whole), ([all, other]) => expect(endOf(other)).toBe(endOf(all))),
      { numRuns: 2_000 },
    );
  });

  test('for dated patches', () => {
    const parts = steps.map((all) => all.filter(({ type }) => type.strategy === 'ignore'));
    fc.assert(
      fc.property(shuffles(parts), ([all, other]) => expect(endOf(other)).toBe(endOf(all))),
      { numRuns: 2_000 },
    );
  });

  test('for patches and whole records among each other', () => {
    fc.assert(
      fc.property(shuffles(steps), ([all, other]) => expect(endOf(other)).toBe(endOf(all))),
      { numRuns: 10_000 },
    );
  });

  test('which is the one with the highest order value', () => {
    const whole = steps
      .map((all) => all.filter(({ type }) => type.strategy === 'overwrite'))
      .filter(({ length }) => length > 0);
    fc.assert(
      fc.property(whole.chain(reordered), (all) => {
        const newest = [...all].sort((a, b) => Number(b.event.orderValue) - Number(a.event.orderValue)).slice(0, 1);
        expect(endOf(all)).toBe(endOf(newest));
      }),
      { numRuns: 1_000 },
    );
  });
});

test('the strategy of an event type is the one that it names', () => {
  const event = { idempotencyKey: 'k', orderValue: 1n, fields: new Map([['a', '1']]), contentHash: 'h' };
  const appliedBy = (type: EventType): unknown => strategyOf(type)(event, undefined);
  expect(appliedBy(eventType('overwrite'))).toMatchObject({ record: { orderValue: 1n, data: event.fields } });
  expect(appliedBy(eventType('ignore'))).toMatchObject({ record: { orderValue: undefined, data: event.fields } });
  expect(appliedBy(eventType('ignore', 'none'))).toMatchObject({ record: { data: new Map() } });
});
