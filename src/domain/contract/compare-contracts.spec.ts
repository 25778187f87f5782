import { describe, expect, test } from '@jest/globals';
import { compareContracts } from './compare-contracts.js';
import type { ContractChange } from './contract-change.js';

const CONTRACT = `
systems:
  crm:
    external_ids: { normalize: [trim] }
    ingest:
      auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] }
      webhooks:
        - when: { /type: changed }
          event_type: customer.updated
          idempotency_key: 'customer:{/id}:v{/version}'
          entity: { type: customer, external_id: '{/id}' }
          version: '{/version}'
        - when: { /type: any }
          event_type: entity.updated
          idempotency_key: '{/key}'
          entity: { type: '{/entity_type}', external_id: '{/id}' }
          version: '{/version}'
  gateway:
    ingest:
      auth: { scheme: api-key, secrets: ['\${GATEWAY_KEY}'] }
  erp:
    deliver: { base_url: https://erp.test, timeout: 10s, entities: {} }
entities:
  customer: { order_by: version }
events:
  customer.updated: { entity: customer, strategy: overwrite }
  entity.updated: { entity: '*', strategy: overwrite }
  payment.completed: { entity: customer, strategy: ignore, scope: { shared: [gateway, crm] } }
  note.added: { entity: customer, strategy: merge, merge: { notes: { append_unique_by: note_id }, spent: { sum: /amount } } }
settings: { lease: 60s }
`;

/** The contract with some of its text replaced; each must stand there. */
function edited(...replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`The contract of this test has no ${from}`);
    return text.replace(from, to);
  }, CONTRACT);
}

const changesTo = (...replacements: readonly (readonly [string, string])[]): readonly ContractChange[] =>
  compareContracts(CONTRACT, edited(...replacements));

const withoutPositions = (changes: readonly ContractChange[]): unknown[] =>
  changes.map(({ position: _position, ...change }) => change);

const RULE = `        - when: { /type: new }
          event_type: customer.updated
          idempotency_key: '{/other_key}'
          entity: { type: customer, external_id: '{/id}' }
          version: '{/version}'
`;
const FIRST_RULE = CONTRACT.slice(
  CONTRACT.indexOf('        - when: { /type: changed }'),
  CONTRACT.indexOf('        - when: { /type: any }'),
);
const SECOND_RULE = CONTRACT.slice(CONTRACT.indexOf('        - when: { /type: any }'), CONTRACT.indexOf('  gateway:'));

describe('what contradicts what is stored', () => {
  test.each<readonly [string, readonly (readonly [string, string])[], unknown]>([
    [
      'a key template',
      [[':v{/version}', '']],
      {
        kind: 'key_template',
        path: 'systems.crm.ingest.webhooks[0].idempotency_key',
        before: 'customer:{/id}:v{/version}',
        after: 'customer:{/id}',
        endangers: { kind: 'keys', scopes: ['crm:customer.updated'] },
      },
    ],
    [
      'a key template of a rule that now stands below a new one',
      [
        ['        - when: { /type: changed }', `${RULE}        - when: { /type: changed }`],
        [':v{/version}', ''],
      ],
      {
        kind: 'key_template',
        path: 'systems.crm.ingest.webhooks[1].idempotency_key',
        before: 'customer:{/id}:v{/version}',
        after: 'customer:{/id}',
        endangers: { kind: 'keys', scopes: ['crm:customer.updated'] },
      },
    ],
    [
      'a rule that takes the place of another with the same event type',
      [[FIRST_RULE, RULE]],
      {
        kind: 'key_template',
        path: 'systems.crm.ingest.webhooks[0].idempotency_key',
        before: 'customer:{/id}:v{/version}',
        after: '{/other_key}',
        endangers: { kind: 'keys', scopes: ['crm:customer.updated'] },
      },
    ],
    [
      'the event type that a rule gives',
      [['event_type: customer.updated', 'event_type: payment.completed']],
      {
        kind: 'event_type',
        path: 'systems.crm.ingest.webhooks[0].event_type',
        before: 'customer.updated',
        after: 'payment.completed',
        endangers: { kind: 'keys', scopes: ['crm:customer.updated'] },
      },
    ],
    [
      'where the id stands',
      [["type: customer, external_id: '{/id}'", "type: customer, external_id: '{/number}'"]],
      {
        kind: 'id_template',
        path: 'systems.crm.ingest.webhooks[0].entity.external_id',
        before: '{/id}',
        after: '{/number}',
        endangers: { kind: 'ids', system: 'crm', entityType: 'customer' },
      },
    ],
    [
      'whose id it is',
      [["type: customer, external_id: '{/id}'", "type: customer, system: gateway, external_id: '{/id}'"]],
      {
        kind: 'id_template',
        path: 'systems.crm.ingest.webhooks[0].entity.system',
        before: 'crm',
        after: 'gateway',
        endangers: { kind: 'ids', system: 'crm', entityType: 'customer' },
      },
    ],
    [
      'the entity type, where bodies said it',
      [["type: '{/entity_type}'", 'type: customer']],
      {
        kind: 'id_template',
        path: 'systems.crm.ingest.webhooks[1].entity.type',
        before: '{/entity_type}',
        after: 'customer',
        endangers: { kind: 'ids', system: 'crm' },
      },
    ],
    [
      'a scope that is no longer shared',
      [[', scope: { shared: [gateway, crm] }', '']],
      {
        kind: 'scope',
        path: 'events["payment.completed"].scope',
        before: '["gateway","crm"]',
        after: '[]',
        endangers: { kind: 'keys', scopes: ['crm+gateway:payment.completed'] },
      },
    ],
    [
      'a scope that is shared from now on',
      [['strategy: overwrite }', 'strategy: overwrite, scope: { shared: [crm, gateway] } }']],
      {
        kind: 'scope',
        path: 'events["customer.updated"].scope.shared',
        before: '[]',
        after: '["crm","gateway"]',
        endangers: { kind: 'keys', scopes: ['crm:customer.updated', 'gateway:customer.updated'] },
      },
    ],
    [
      'one more system in a scope, because the room gets another name',
      [['[gateway, crm]', '[gateway, crm, erp]']],
      {
        kind: 'scope',
        path: 'events["payment.completed"].scope.shared',
        before: '["gateway","crm"]',
        after: '["gateway","crm","erp"]',
        endangers: { kind: 'keys', scopes: ['crm+gateway:payment.completed', 'erp:payment.completed'] },
      },
    ],
    [
      'how ids are spelt',
      [['normalize: [trim]', 'normalize: [trim, nfc]']],
      {
        kind: 'normalization',
        path: 'systems.crm.external_ids.normalize',
        before: '["trim"]',
        after: '["trim","nfc"]',
        endangers: { kind: 'ids', system: 'crm', normalize: ['trim', 'nfc'] },
      },
    ],
    [
      'how ids are spelt, where nothing was said',
      [['  gateway:\n', '  gateway:\n    external_ids: { normalize: [] }\n']],
      {
        kind: 'normalization',
        path: 'systems.gateway.external_ids.normalize',
        before: '["trim","nfc"]',
        after: '[]',
        endangers: { kind: 'ids', system: 'gateway', normalize: [] },
      },
    ],
    [
      'how ids are spelt, where nothing is said any more',
      [['    external_ids: { normalize: [trim] }\n', '']],
      {
        kind: 'normalization',
        path: 'systems.crm.external_ids',
        before: '["trim"]',
        after: '["trim","nfc"]',
        endangers: { kind: 'ids', system: 'crm', normalize: ['trim', 'nfc'] },
      },
    ],
    [
      'what tells the newer state',
      [['order_by: version', 'order_by: occurred_at']],
      {
        kind: 'order',
        path: 'entities.customer.order_by',
        before: 'version',
        after: 'occurred_at',
        endangers: { kind: 'records', entityType: 'customer' },
      },
    ],
    [
      'the rule by which a field grows',
      [['{ append_unique_by: note_id }', '{ latest: true }']],
      {
        kind: 'merge_rule',
        path: 'events["note.added"].merge.notes',
        before: '{"append_unique_by":"note_id"}',
        after: '{"latest":true}',
        endangers: { kind: 'merged', entityType: 'customer', field: 'notes' },
      },
    ],
    [
      'the id by which the elements of a field are known',
      [['append_unique_by: note_id', 'append_unique_by: id']],
      {
        kind: 'merge_rule',
        path: 'events["note.added"].merge.notes',
        before: '{"append_unique_by":"note_id"}',
        after: '{"append_unique_by":"id"}',
        endangers: { kind: 'merged', entityType: 'customer', field: 'notes' },
      },
    ],
    [
      'a rule that moved to another event type and became another one',
      [
        ['spent: { sum: /amount }', 'other: { max: true }'],
        ["entity: '*', strategy: overwrite", "entity: '*', strategy: merge, merge: { spent: { max: true } }"],
      ],
      {
        kind: 'merge_rule',
        path: 'events["entity.updated"].merge.spent',
        before: '{"sum":"/amount"}',
        after: '{"max":true}',
        endangers: { kind: 'merged', entityType: 'customer', field: 'spent' },
      },
    ],
  ])('%s', (_name, replacements, expected) => {
    const dangers = changesTo(...replacements).filter(({ endangers }) => endangers !== undefined);
    expect(withoutPositions(dangers)).toEqual([expected]);
  });

  test('two rules that exchange their keys', () => {
    const changes = changesTo(
      ['customer:{/id}:v{/version}', 'FIRST'],
      ["'{/key}'", "'customer:{/id}:v{/version}'"],
      ['FIRST', '{/key}'],
    );
    expect(changes.map(({ kind, after }) => [kind, after])).toEqual([
      ['key_template', '{/key}'],
      ['key_template', 'customer:{/id}:v{/version}'],
    ]);
  });

  test('another event type of a rule without conditions, which may be written in two ways', () => {
    const bare = edited(['- when: { /type: any }\n          event_type', '- event_type']);
    const empty = edited(['{ /type: any }', '{}'], ['event_type: entity.updated', 'event_type: a']);
    expect(compareContracts(bare, empty)).toMatchObject([
      { kind: 'event_type', before: 'entity.updated', after: 'a' },
      { kind: 'other', path: 'systems.crm.ingest.webhooks[1].when', after: '{}' },
    ]);
  });

  test('is named with its place in the newer file, and once', () => {
    expect(changesTo([':v{/version}', ''])).toMatchObject([{ position: { line: 10, column: 28 } }]);
  });
});

describe('what contradicts nothing', () => {
  test.each<
    readonly [
      string,
      readonly (readonly [string, string])[],
      readonly (readonly [string, string | undefined, string | undefined])[],
    ]
  >([
    [
      'comments, blanks and the order of keys',
      [
        ['systems:', '# all of them\nsystems:'],
        ['{ entity: customer, strategy: overwrite }', '{ strategy: overwrite,  entity: "customer" }'],
      ],
      [],
    ],
    [
      'the same systems in another order',
      [['[gateway, crm]', '[crm, gateway]']],
      [['events["payment.completed"].scope.shared', '["gateway","crm"]', '["crm","gateway"]']],
    ],
    ['a setting', [['60s', '30s']], [['settings.lease', '60s', '30s']]],
    [
      'the place from which a sum takes its number',
      [['sum: /amount', 'sum: /paid']],
      [['events["note.added"].merge.spent.sum', '/amount', '/paid']],
    ],
    [
      'a merge rule that is added, and one that is taken away',
      [['spent: { sum: /amount }', 'best: { max: true }']],
      [
        ['events["note.added"].merge.best', undefined, '{"max":true}'],
        ['events["note.added"].merge.spent', '{"sum":"/amount"}', undefined],
      ],
    ],
    [
      'a target',
      [
        ['10s', '5s'],
        ['erp.test', 'erp2.test'],
      ],
      [
        ['systems.erp.deliver.base_url', 'https://erp.test', 'https://erp2.test'],
        ['systems.erp.deliver.timeout', '10s', '5s'],
      ],
    ],
    [
      'a secret',
      [['${CRM_KEY}', '${NEW_KEY}']],
      [['systems.crm.ingest.auth.secrets', '["${CRM_KEY}"]', '["${NEW_KEY}"]']],
    ],
    [
      'a rule that is added',
      [['        - when: { /type: any }', `${RULE}        - when: { /type: any }`]],
      [['systems.crm.ingest.webhooks[1]', undefined, expect.stringContaining('{/other_key}') as unknown as string]],
    ],
    [
      'a rule that is taken away',
      [[SECOND_RULE, '']],
      [['systems.crm.ingest.webhooks[1]', expect.stringContaining('{/key}') as unknown as string, undefined]],
    ],
    [
      'other conditions of a rule with the same key',
      [['/type: changed', '/type: [changed, made]']],
      [['systems.crm.ingest.webhooks[0].when["/type"]', 'changed', '["changed","made"]']],
    ],
    [
      'an event type that is added',
      [['events:\n', 'events:\n  a: { entity: customer, strategy: ignore }\n']],
      [['events.a', undefined, '{"entity":"customer","strategy":"ignore"}']],
    ],
    [
      'a system that is taken away',
      [
        ["  gateway:\n    ingest:\n      auth: { scheme: api-key, secrets: ['${GATEWAY_KEY}'] }\n", ''],
        ['[gateway, crm]', '[gateway, crm]'],
      ],
      [['systems.gateway', '{"ingest":{"auth":{"scheme":"api-key","secrets":["${GATEWAY_KEY}"]}}}', undefined]],
    ],
    [
      'rules in another order',
      [[FIRST_RULE + SECOND_RULE, SECOND_RULE + FIRST_RULE]],
      [['systems.crm.ingest.webhooks', undefined, 'the order of the items; they stood at [1], [0]']],
    ],
  ])('%s', (_name, replacements, expected) => {
    const changes = changesTo(...replacements);
    expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual(expected);
    expect(changes.filter(({ kind, endangers }) => kind !== 'other' || endangers !== undefined)).toEqual([]);
  });

  test('the same text', () => {
    expect(changesTo()).toEqual([]);
  });
});

test('there and back are the same changes turned round', () => {
  const other = edited([':v{/version}', ''], ['60s', '30s'], ['normalize: [trim]', 'normalize: []']);
  const turned = compareContracts(other, CONTRACT).map(({ kind, path, before, after }) => ({
    kind,
    path,
    before: after,
    after: before,
  }));
  expect(turned).toEqual(
    compareContracts(CONTRACT, other).map(({ kind, path, before, after }) => ({ kind, path, before, after })),
  );
});

test('a removed item and a changed one at the same position are both told', () => {
  const changes = changesTo([FIRST_RULE, ''], ["'{/key}'", "'{/other}'"]);
  expect(changes.map(({ kind, path, before }) => [kind, path, before])).toEqual([
    ['key_template', 'systems.crm.ingest.webhooks[0].idempotency_key', '{/key}'],
    ['other', 'systems.crm.ingest.webhooks[0]', expect.stringContaining('customer.updated')],
  ]);
});
