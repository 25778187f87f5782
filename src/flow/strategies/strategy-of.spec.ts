import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { composeEntity } from '../../domain/compose.js';
import type { EntityType, EventType, MergeRule } from '../../domain/contract/contract.js';
import { canonicalJson } from '../../domain/json/canonical-json.js';
import { JsonNumber, isJsonObject, type Json, type JsonObject } from '../../domain/json/json.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { ClockTree } from '../../domain/field-clock.js';
import { isDeleted, type SourceRecord } from '../../domain/source-record.js';
import type { EventToDecide } from './decision.js';
import { strategyOf } from './strategy-of.js';
import { draws } from '../../../test/support/draws.js';

const RULES: ReadonlyMap<string, MergeRule> = new Map<string, MergeRule>([
  ['notes', { kind: 'append_unique_by', id: 'id' }],
  ['tags', { kind: 'union' }],
  ['total', { kind: 'sum', pointer: { source: '/delta', steps: ['delta'] } }],
  ['high', { kind: 'max' }],
  ['low', { kind: 'min' }],
  ['last', { kind: 'latest' }],
]);

const eventType = (strategy: EventType['strategy'], rest: Partial<EventType> = {}): EventType => ({
  name: strategy,
  entity: 'customer',
  strategy,
  operation: 'update',
  apply: 'patch',
  merge: RULES,
  deliverTo: [],
  sharedScope: [],
  volatile: [],
  references: [],
  keys: 'retained',
  ...rest,
});
const CUSTOMER: EntityType = {
  name: 'customer',
  orderBy: 'version',
  ties: 'conflict',
  compose: { default: ['crm'], fields: new Map([['a', 'latest']]) },
  mergedFields: new Set(RULES.keys()),
};

/** What an event is, in the order in which those of one order value count. */
const KINDS = ['overwrite', 'patch', 'delete'] as const;
type Kind = (typeof KINDS)[number];
interface Step {
  readonly kind: Kind;
  readonly event: EventToDecide;
  readonly type: EventType;
}

/** The record after the events in this order. Copies never get here: the inbox knows their keys. */
function recordAfter(steps: readonly Step[]): SourceRecord | undefined {
  const seen = new Set<string>();
  let record: SourceRecord | undefined;
  for (const { event, type } of steps) {
    if (seen.has(event.key)) continue;
    seen.add(event.key);
    const decision = strategyOf(type, CUSTOMER)(event, record);
    if (decision.kind === 'apply') record = decision.record;
  }
  return record;
}

/** Everything that later events, people or targets could tell two records apart by. */
function stateOf(record: SourceRecord | undefined): string {
  if (record === undefined) return 'nothing';
  const { orderValue, occurredAt, contentHash, isTombstone, data, merged } = record;
  const entity = composeEntity([{ ...record, source: 'crm', system: 'crm', externalId: '1' }], CUSTOMER);
  const rules = [...merged].map(([field, state]) => `${field}: ${shown(state)}`).sort();
  return [
    canonicalJson(data),
    canonicalJson(entity),
    `${orderValue} ${occurredAt} ${contentHash} ${isTombstone} ${isDeleted(record)}`,
    clocksOf(record.clocks),
    ...rules,
  ].join('\n');
}

function clocksOf({ written, opened, members }: ClockTree): string {
  const below = [...members].map(([name, tree]) => `${name}: ${clocksOf(tree)}`).sort();
  return `(${shown(written)} ${shown(opened)} ${below.join()})`;
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (part instanceof Map) return [...part].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
    return typeof part === 'bigint' ? String(part) : part;
  });
}

/** What the record has to be: the events in the order in which they count, one after the other, by the plainest means. */
function expectedData(steps: readonly Step[]): JsonObject {
  let plain: Json | undefined;
  for (const { kind, event, type } of inOrder(steps)) {
    if (kind === 'overwrite') plain = event.fields;
    else if (kind === 'delete') plain = undefined;
    else if (type.strategy === 'merge') plain = mergePatched(plain, event.fields);
    else plain = new Map([...(isJsonObject(plain) ? plain : []), ...event.fields]);
  }
  if (!isJsonObject(plain)) return new Map();
  return new Map([...plain, ...expectedShares(inOrder(steps))]);
}

/** RFC 7396, but for null, which shows. */
function mergePatched(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map<string, Json>(isJsonObject(target) ? target : []);
  for (const [name, value] of patch) merged.set(name, mergePatched(merged.get(name), value));
  return merged;
}

function expectedShares(steps: readonly Step[]): [string, Json][] {
  const told = (field: string): Json[] =>
    steps.flatMap(({ event }) => {
      const share = event.shares.get(field);
      return share === undefined ? [] : [share.value];
    });
  const numbers = (field: string): number[] => told(field).map((value) => Number((value as JsonNumber).text));
  const expected = new Map<string, Json>();
  if (told('total').length > 0) {
    const cents = numbers('total').reduce((sum, value) => sum + Math.round(value * 100), 0);
    expected.set('total', new JsonNumber((cents / 100).toFixed(2)));
  }
  if (told('high').length > 0) expected.set('high', new JsonNumber(String(Math.max(...numbers('high')))));
  if (told('low').length > 0) expected.set('low', new JsonNumber(String(Math.min(...numbers('low')))));
  const last = told('last').at(-1);
  if (last !== undefined) expected.set('last', last);
  const tags = told('tags').flatMap((list) => list as readonly Json[]);
  if (told('tags').length > 0) expected.set('tags', [...new Map(tags.map((tag) => [writeJson(tag), tag])).values()]);
  const notes = told('notes').flatMap((list) => list as readonly JsonObject[]);
  if (told('notes').length > 0) expected.set('notes', [...new Map(notes.map((note) => [idOf(note), note])).values()]);
  return [...expected];
}

const idOf = (note: JsonObject): string => writeJson(note.get('id') ?? null).replaceAll('"', '');

function inOrder(steps: readonly Step[]): readonly Step[] {
  const compare = <T>(a: T, b: T): number => (a < b ? -1 : Number(a > b));
  return [...steps].sort(
    (a, b) =>
      compare(a.event.orderValue ?? 0n, b.event.orderValue ?? 0n) ||
      KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
      compare(a.event.key, b.event.key),
  );
}

const number = fc.integer({ min: 0, max: 3 }).map((value) => new JsonNumber(String(value)));
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    number,
    fc.constant(null),
    fc.constant([]),
    members(tie('value'), ['x', 'y']),
  ),
})).value;
const fields = members(value, ['a', 'b', 'c']);

function members(of: fc.Arbitrary<Json>, names: readonly string[]): fc.Arbitrary<JsonObject> {
  const member = fc.tuple(fc.constantFrom(...names), of);
  return fc.uniqueArray(member, { selector: ([name]) => name }).map((all) => new Map<string, Json>(all));
}

const note = fc
  .tuple(fc.constantFrom<Json>('1', new JsonNumber('1'), '2', '3'), number)
  .map(([id, text]): Json => new Map<string, Json>([['id', id], ['text', text]])); // prettier-ignore
const cents = fc.integer({ min: -999, max: 999 }).map((all) => new JsonNumber((all / 100).toFixed(2)));
const shares: fc.Arbitrary<EventToDecide['shares']> = fc
  .record(
    {
      notes: fc.array(note, { minLength: 1, maxLength: 3 }),
      tags: fc.array(fc.oneof(number, fc.constant('x')), { minLength: 1, maxLength: 3 }),
      total: cents,
      high: number,
      low: number,
      last: value,
    },
    { requiredKeys: [] },
  )
  .map((given) => new Map(Object.entries(given).map(([field, said]) => [field, { rule: ruleOf(field), value: said }])));

function ruleOf(field: string): MergeRule {
  const rule = RULES.get(field);
  if (rule === undefined) throw new Error(`The test has no rule for ${field}.`);
  return rule;
}

interface Said {
  readonly key: string;
  readonly order: number;
  readonly fields: JsonObject;
  readonly shares?: EventToDecide['shares'];
}

function step(kind: Kind, type: EventType, { key, order, fields: content, shares: given = new Map() }: Said): Step {
  const event = {
    key,
    orderValue: BigInt(order),
    occurredAt: BigInt((order * 7) % 10),
    fields: content,
    shares: given,
    contentHash: canonicalJson(content),
  };
  return { kind, event, type };
}

/** Whole records and deletes, no two with one order value: two truths under one would be a question for a person. */
const wholes: fc.Arbitrary<Step[]> = fc
  .uniqueArray(fc.tuple(fc.nat(9), fields, fc.boolean()), { selector: ([order]) => order, maxLength: 4 })
  .map((all) =>
    all.map(([order, content, isDelete]) =>
      isDelete
        ? step('delete', eventType('overwrite', { operation: 'delete' }), { key: `d${order}`, order, fields: content })
        : step('overwrite', eventType('overwrite'), { key: `r${order}`, order, fields: content }),
    ),
  );
/** Patches with a key each, ties among themselves and with whole records included. */
const patches: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(fc.nat(9), fields), { maxLength: 4 })
  .map((all) =>
    all.map(([order, content], at) => step('patch', eventType('ignore'), { key: `p${at}`, order, fields: content })),
  );
const merges: fc.Arbitrary<Step[]> = fc
  .array(fc.tuple(fc.nat(9), fields, shares), { maxLength: 5 })
  .map((all) =>
    all.map(([order, content, given], at) =>
      step('patch', eventType('merge'), { key: `m${at}`, order, fields: content, shares: given }),
    ),
  );
const mixtures = fc.tuple(wholes, patches, merges).map((all) => all.flat());

/** The same events in another order, some of them several times. */
function reordered(all: readonly Step[]): fc.Arbitrary<Step[]> {
  const copies = fc.array(fc.constantFrom(...all), { maxLength: 8 });
  return copies.chain((more) => {
    const everything = [...all, ...more];
    return fc.shuffledSubarray(everything, { minLength: everything.length });
  });
}

const shuffled = (some: fc.Arbitrary<Step[]>): fc.Arbitrary<readonly [Step[], Step[]]> =>
  some.filter(({ length }) => length > 0).chain((all) => fc.tuple(fc.constant(all), reordered(all)));

describe('any order and any number of copies end in the same record and the same composed entity', () => {
  test.each([
    ['whole records and deletes', wholes, 1_000],
    ['dated patches', patches, 1_000],
    ['merges', merges, 1_000],
    ['patches, merges, whole records and deletes among each other', mixtures, 1_500],
  ])('for %s', (_what, some, numRuns) => {
    fc.assert(
      fc.property(shuffled(some), ([all, other]) =>
        expect(stateOf(recordAfter(other))).toBe(stateOf(recordAfter(all))),
      ),
      { numRuns: draws(numRuns) },
    );
  });

  test('which is the one that the events make in the order of their order values', () => {
    fc.assert(
      fc.property(mixtures.filter(({ length }) => length > 0).chain(reordered), (steps) => {
        const unique = [...new Map(steps.map((each) => [each.event.key, each])).values()];
        const record = recordAfter(steps);
        expect(writeJson(sorted(record?.data ?? new Map()))).toBe(writeJson(sorted(expectedData(unique))));
      }),
      { numRuns: draws(1_500) },
    );
  });
});

/** Members by name, numbers with their digits: equal values print equally. */
function sorted(json: Json): Json {
  if (!isJsonObject(json)) return Array.isArray(json) ? (json as Json[]).map(sorted) : json;
  const names = [...json.keys()].sort();
  return new Map(names.map((name): [string, Json] => [name, sorted(json.get(name) ?? null)]));
}

test('the strategy of an event type is the one that it names', () => {
  const { event } = step('patch', eventType('merge'), { key: 'k', order: 1, fields: new Map([['a', '1']]) });
  const appliedBy = (type: EventType): unknown => strategyOf(type, CUSTOMER)(event, undefined);
  expect(appliedBy(eventType('overwrite'))).toMatchObject({ record: { orderValue: 1n, data: event.fields } });
  expect(appliedBy(eventType('overwrite', { operation: 'delete' }))).toMatchObject({ record: { isTombstone: true } });
  expect(appliedBy(eventType('ignore'))).toMatchObject({ record: { orderValue: undefined, data: event.fields } });
  expect(appliedBy(eventType('ignore', { apply: 'none' }))).toMatchObject({ record: { data: new Map() } });
  expect(appliedBy(eventType('merge'))).toMatchObject({ record: { orderValue: undefined, data: event.fields } });
});
