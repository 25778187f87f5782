import { describe, expect, test } from '@jest/globals';
import { randomFrom } from '../../support/random-from.js';
import { generateFacts } from '../long-run/generate-facts.js';
import { LONG_RUN } from '../long-run/scope.js';
import { compareWorlds } from './compare-worlds.js';
import { expectedWorld } from './expected-world.js';
import type { ExpectedWorld } from './expected-world.js';
import type { ObservedWorld } from './observed-world.js';

/** The checker itself is checked: it must see each violation, and none where there is none. */
describe('the checker of the long run', () => {
  const facts = generateFacts(2_000, LONG_RUN.rules, randomFrom(7));
  const expected = expectedWorld(facts, LONG_RUN.rules);
  const customer = 'customer C-1';

  /** The world as it should be, with changes. */
  function observed(change: Partial<ObservedWorld> = {}): ObservedWorld {
    return { ...perfectWorld(expected), ...change };
  }

  test('finds nothing in a world that is as it should be, in whatever order the facts are told', () => {
    expect(compareWorlds(expected, observed())).toEqual({ lost: [], doubled: [], wrong: [] });
    const reversed = expectedWorld([...facts].reverse(), LONG_RUN.rules);
    expect(compareWorlds(reversed, observed())).toEqual({ lost: [], doubled: [], wrong: [] });
  });

  test('knows what each kind of event makes of an entity, by an example worked out by hand', () => {
    const stock = (id: number, delta: number, largest: number): (typeof facts)[number] => ({
      idempotency_key: `stock:S:${id}`,
      event_type: 'stock.adjusted',
      entity: { type: 'stock', external_id: 'S' },
      payload: { delta, largest, notes: { note_id: `N-${id}` } },
    });
    const machine = (version: number, state: string): (typeof facts)[number] => ({
      idempotency_key: `machine:M:v${version}`,
      event_type: 'machine.moved',
      entity: { type: 'machine', external_id: 'M' },
      version,
      state,
      payload: { shown: state },
    });
    const order = {
      idempotency_key: 'order:O:v1',
      event_type: 'order.placed',
      entity: { type: 'order', external_id: 'O' },
      version: 1,
      payload: { customer_id: 'nobody' },
    };
    const sent = [stock(1, 5, 9), machine(2, 'IDLE'), stock(2, -2, 4), machine(1, 'RUNNING'), stock(1, 5, 9), order];
    const world = expectedWorld(sent, LONG_RUN.rules);
    expect(world.entities).toMatchObject([
      { type: 'stock', data: { quantity: 3, largest: 9, notes: [{ note_id: 'N-1' }, { note_id: 'N-2' }] } },
      { type: 'machine', data: { shown: 'IDLE' }, path: ['IDLE', 'RUNNING', 'IDLE'] },
    ]);
    expect([...world.ends].filter(([, end]) => end === 'PARKED')).toEqual([['order:O:v1', 'PARKED']]);
  });

  test('has something of everything to look at: deletes, states, and what waits for ever', () => {
    expect(expected.entities.filter(({ isDeleted }) => isDeleted).length).toBeGreaterThan(0);
    expect(new Set(expected.entities.flatMap(({ path, type }) => (path === undefined ? [] : type))).size).toBe(3);
    expect([...expected.ends.values()].filter((end) => end === 'PARKED').length).toBeGreaterThan(3);
  });

  test('finds what was lost: an event, an effect, an entity, a record', () => {
    const { events, entities, records } = observed();
    const [event, , ...otherEvents] = events;
    const findings = compareWorlds(expected, {
      ...observed(),
      events: [...(event === undefined ? [] : [{ ...event, ends: 0 }]), ...otherEvents],
      entities: entities.filter(({ externalId }) => externalId !== 'C-2'),
      records: records.filter(({ ref }) => ref !== customer && ref !== 'customer C-2'),
    });
    expect(findings.doubled).toEqual([]);
    expect(findings.wrong).toEqual([]);
    expect(findings.lost).toEqual([
      `the effect of event ${event?.key}`,
      `event ${events[1]?.key}`,
      `the record of ${customer} at erp`,
      `the record of ${customer} at wms`,
      'customer C-2',
    ]);
  });

  test('finds what was doubled: an event, an effect, an entity, a record', () => {
    const { events, entities, records } = observed();
    const [first, second, ...others] = events;
    const findings = compareWorlds(expected, {
      ...observed(),
      events: [...(first && second ? [{ ...first, ends: 2 }, second, second] : []), ...others],
      entities: [...entities, ...entities.filter(({ externalId }) => externalId === 'C-2')],
      records: [...records, ...records.filter(({ ref }) => ref === customer)],
    });
    expect(findings.lost).toEqual([]);
    expect(findings.wrong).toEqual([]);
    expect(findings.doubled).toEqual([
      `the effect of event ${first?.key}: 2 times`,
      `event ${second?.key}: 2 times`,
      `the record of ${customer} at erp: 2 times`,
      `the record of ${customer} at wms: 2 times`,
      'customer C-2: 2 times',
    ]);
  });

  const change = (name: string, changes: object) =>
    observed().entities.map((entity) =>
      `${entity.type} ${entity.externalId}` === name ? { ...entity, ...changes } : entity,
    );
  const moved = expected.entities.find(({ path }) => (path?.length ?? 0) > 2);
  const movedName = `${moved?.type} ${moved?.externalId}`;
  test.each<[string, Partial<ObservedWorld>, string]>([
    ['data', { entities: change(customer, { data: { name: 'older' } }) }, `${customer} says {"name":"older"}`],
    ['a delete', { entities: change(customer, { isDeleted: true }) }, `${customer} is deleted`],
    ['a path', { entities: change(movedName, { path: moved?.path?.slice(0, -1) }) }, `${movedName} went`],
    [
      'a link',
      { entities: change(customer, { linkedAs: { erp: 'X', wms: `wms-${customer}` } }) },
      'linked to X at erp',
    ],
    ['a stranger', { entities: [...observed().entities, ...strangers()] }, 'nobody ever spoke of customer ?'],
    ['an end', { events: observed().events.map((event) => ({ ...event, status: 'dead' })) }, 'is dead, not'],
    [
      'an older state at a target',
      { records: observed().records.map((r) => (r.ref === customer ? { ...r, data: { name: 'older' } } : r)) },
      `erp says of ${customer} {"name":"older"}`,
    ],
    [
      'a record of nothing',
      { records: [...observed().records, { target: 'erp', id: '1', ref: '?', data: {} }] },
      'no entity',
    ],
    ['a question', { conflicts: ['key k'] }, 'key k'],
  ])('finds what is wrong: %s', (_, wrong, sentence) => {
    const findings = compareWorlds(expected, observed(wrong));
    expect({ lost: findings.lost, doubled: findings.doubled }).toEqual({ lost: [], doubled: [] });
    expect(findings.wrong).toContainEqual(expect.stringContaining(sentence));
  });
});

function strangers(): ObservedWorld['entities'] {
  const nothing = { data: {}, isDeleted: false, path: undefined, linkedAs: {} };
  return [{ type: 'customer', externalId: '?', internalId: '?', ...nothing }];
}

/** Internal ids are the names, and so are the ids at the targets. */
function perfectWorld({ ends, entities }: ExpectedWorld): ObservedWorld {
  const names = entities.map((entity) => ({ entity, name: `${entity.type} ${entity.externalId}` }));
  return {
    events: [...ends].map(([key, end]) => ({ key, status: end, ends: end === 'COMPLETED' ? 1 : 0 })),
    entities: names.map(({ entity: { type, externalId, data, isDeleted, path, targets }, name }) => ({
      type,
      externalId,
      internalId: name,
      data,
      isDeleted,
      path,
      linkedAs: Object.fromEntries(targets.map((target) => [target, `${target}-${name}`])),
    })),
    records: names.flatMap(({ entity: { data, targets }, name }) =>
      targets.map((target) => ({ target, id: `${target}-${name}`, ref: name, data: data ?? {} })),
    ),
    conflicts: [],
  };
}
