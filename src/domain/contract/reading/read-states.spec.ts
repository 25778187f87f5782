import { describe, expect, test } from '@jest/globals';
import { examineContract } from '../examine-contract.js';
import { formatMistake } from '../format-mistake.js';

interface Sections {
  readonly states?: string;
  readonly orderBy?: string;
  readonly event?: string;
  readonly rule?: string;
}

const STATES = '{ initial: NEW, NEW: [PAYING], PAYING: [PAID], PAID: [] }';
const CIRCLE = '{ initial: OPEN, OPEN: [SOLVED], SOLVED: [OPEN, CLOSED], CLOSED: [] }';

function examined({ states = STATES, orderBy = 'version', event = 'transition: PAID', rule = '' }: Sections) {
  return examineContract(
    `systems:
  shop:
    ingest:
      auth: { scheme: api-key, secrets: ["\${KEY}"] }
      webhooks:
        - { event_type: order.moved, idempotency_key: "{/id}", entity: { type: order, external_id: "{/id}" }${rule} }
entities:
  order: { order_by: ${orderBy}, states: ${states} }
  note: { order_by: version }
events:
  order.moved: { entity: order, strategy: ignore, ${event} }
`,
    () => 'shop-key',
  );
}

function mistakesIn(sections: Sections): readonly string[] {
  return examined(sections).mistakes.map(
    (mistake) => `${mistake.kind === 'warning' ? 'warning ' : ''}${formatMistake('F', mistake).slice('F:'.length)}`,
  );
}

describe('the states of an entity type', () => {
  test('become a graph, and event types say where they move to', () => {
    const { contract, mistakes } = examined({});
    expect(mistakes).toEqual([]);
    expect(contract?.entityTypes.get('order')?.states).toMatchObject({ initial: 'NEW', isCyclic: false });
    expect([...(contract?.entityTypes.get('order')?.states?.states ?? [])]).toEqual([
      ['NEW', ['PAYING']],
      ['PAYING', ['PAID']],
      ['PAID', []],
    ]);
    expect(contract?.entityTypes.get('note')).not.toHaveProperty('states');
    expect(contract?.eventTypes.get('order.moved')?.transition).toEqual({ kind: 'to', state: 'PAID' });
  });

  test('may be named by each event, which then says which one it expects as well', () => {
    const rule = ', state: "{/status}", expected_current_state: "{/before}"';
    const { contract, mistakes } = examined({ event: 'transition: "{state}"', rule });
    expect(mistakes).toEqual([]);
    expect(contract?.eventTypes.get('order.moved')?.transition).toEqual({ kind: 'named' });
    expect(contract?.systems.get('shop')?.ingest?.webhooks[0]).toMatchObject({
      state: { source: '{/status}' },
      expectedState: { source: '{/before}' },
    });
  });

  test('a state that nothing follows is only warned of, unless it is marked as final', () => {
    const { contract, mistakes } = examined({ states: '{ initial: NEW, NEW: [PAYING], PAYING: [PAID] }' });
    expect(contract?.entityTypes.get('order')?.states?.states.get('PAID')).toEqual([]);
    expect(mistakes.map((mistake) => [mistake.kind, formatMistake('F', mistake)])).toEqual([
      ['warning', 'F:8:79 entities.order.states.PAYING[0]: nothing follows `PAID`; `PAID: []` says that it is final'],
    ]);
  });

  const wrong: readonly (readonly [string, Sections, readonly string[]])[] = [
    ['no first state', { states: '{ NEW: [PAID], PAID: [] }' }, ['8:31 entities.order.states: `initial` is missing']],
    [
      'an unknown first state',
      { states: '{ initial: NWE, NEW: [PAID], PAID: [] }' },
      ['8:50 entities.order.states.initial: `NWE` does not stand under `states` (did you mean `NEW`?)'],
    ],
    [
      'a state that cannot be come to',
      { states: '{ initial: NEW, NEW: [PAID], LOST: [PAID], PAID: [] }' },
      ['8:68 entities.order.states.LOST: no way leads from `NEW` to `LOST`'],
    ],
    [
      'a misspelt state',
      { states: '{ initial: NEW, NEW: [PIAD], PAID: [] }' },
      [
        'warning 8:61 entities.order.states.NEW[0]: nothing follows `PIAD` (did you mean `PAID`?); `PIAD: []` says that it is final',
        '8:68 entities.order.states.PAID: no way leads from `NEW` to `PAID`',
      ],
    ],
    [
      'a circle without an order',
      { states: CIRCLE, orderBy: 'arrival', event: 'transition: SOLVED' },
      [
        '8:31 entities.order.states: a state that can be come back to needs `order_by: version` or `occurred_at`: else an early event cannot be told from a late one',
      ],
    ],
    [
      'an event type that moves to an unknown state',
      { event: 'transition: PIAD' },
      [
        '11:63 events["order.moved"].transition: `order` has no state `PIAD` (did you mean `PAID`?); expected `NEW`, `PAYING`, `PAID` or `{state}`',
      ],
    ],
    [
      'a name that would be a template',
      { states: '{ initial: NEW, NEW: ["{state}"] }', event: 'apply: none' },
      [
        '8:61 entities.order.states.NEW[0]: a state is 1 to 64 characters without braces, control characters and outer blanks',
        'warning 8:61 entities.order.states.NEW[0]: nothing follows `{state}`; `{state}: []` says that it is final',
      ],
    ],
    [
      'a rule that names a state which its event type fixes',
      { rule: ', state: "{/status}"' },
      [
        '6:111 systems.shop.ingest.webhooks[0].state: `order.moved` has no `transition: "{state}"`, so that its events name no state',
      ],
    ],
    [
      'a rule without the state that its event type leaves to it',
      { event: 'transition: "{state}"' },
      ['6:11 systems.shop.ingest.webhooks[0]: `state` is missing: events of `order.moved` name their state themselves'],
    ],
    [
      'a rule that always names an unknown state',
      { event: 'transition: "{state}"', rule: ', state: PIAD, expected_current_state: "{/before}"' },
      [
        '6:118 systems.shop.ingest.webhooks[0].state: `order` has no state `PIAD` (did you mean `PAID`?); expected `NEW`, `PAYING` or `PAID` or a template',
      ],
    ],
    [
      'a rule that expects a state where nothing moves',
      { event: 'apply: none', rule: ', expected_current_state: "{/before}"' },
      [
        '6:111 systems.shop.ingest.webhooks[0].expected_current_state: `order.moved` has no `transition`, so that its events expect no state',
      ],
    ],
    [
      'a rule without the order that a circle needs',
      { states: CIRCLE, event: 'transition: SOLVED' },
      [
        '6:11 systems.shop.ingest.webhooks[0]: `version` is missing: a state of `order` can be come back to, so that only the order tells an early event from a late one',
      ],
    ],
  ];
  test.each(wrong)('%s', (_name, sections, expected) => {
    expect(mistakesIn(sections)).toEqual(expected);
  });

  test('events that may be about any entity type need states for each', () => {
    const { mistakes } = examineContract(
      `systems: {}
entities: { order: { order_by: version, states: ${STATES} }, note: { order_by: version } }
events: { any.paid: { entity: "*", strategy: ignore, transition: PAID } }
`,
      () => undefined,
    );
    expect(mistakes.map(({ message }) => message)).toEqual([
      '`note` has no `states`, and the events may be about each entity type',
    ]);
  });
});
