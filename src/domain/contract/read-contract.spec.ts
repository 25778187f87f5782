import { describe, expect, test } from '@jest/globals';
import { edited as editedLines, GoldenMistakes, type Edit } from '../../../test/support/spoiled-contract.js';
import { formatMistake } from './format-mistake.js';
import { readContract } from './read-contract.js';

const WHSEC = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const ENVIRONMENT: Readonly<Record<string, string>> = {
  SIGN: WHSEC,
  CRM_KEY: 'crm-key',
  OPS_KEY: 'ops-key',
  SAME_AS_CRM: 'crm-key',
  SAME_AS_OPS: 'ops-key',
  EMPTY: '',
  BLANKS: 'two words',
  SHORT: `whsec_${Buffer.alloc(23, 7).toString('base64')}`,
  NOT_BASE64: 'whsec_????????????????????????????????????????',
  ERP_URL: 'https://erp.test/api/',
  NO_URL: 'erp.test',
};
const env = (name: string) => ENVIRONMENT[name];

const LINES = [
  /*  1 */ 'systems:',
  /*  2 */ '  crm:',
  /*  3 */ '    external_ids: { normalize: [trim] }',
  /*  4 */ '    ingest:',
  /*  5 */ '      auth:',
  /*  6 */ '        - { scheme: standard-webhooks, secrets: ["${SIGN}"], tolerance: 2m }',
  /*  7 */ '        - { scheme: api-key, header: X-Key, secrets: ["${CRM_KEY}"] }',
  /*  8 */ '      webhooks:',
  /*  9 */ '        - when: { /type: changed, /v: [1.0, "2", true] }',
  /* 10 */ '          event_type: customer.updated',
  /* 11 */ '          idempotency_key: "customer:{/id}:v{/version}"',
  /* 12 */ '          entity: { type: customer, external_id: "{/id}" }',
  /* 13 */ '          version: "{/version}"',
  /* 14 */ '          correlation_id: "{/process}"',
  /* 15 */ '        - when: { /type: any }',
  /* 16 */ '          event_type: entity.updated',
  /* 17 */ '          idempotency_key: "{/key}"',
  /* 18 */ '          entity: { type: "{/entity_type}", external_id: "{/id}" }',
  /* 19 */ '          occurred_at: "{/at}"',
  /* 20 */ '      fields:',
  /* 21 */ '        customer: { name: /full_name }',
  /* 22 */ '  erp:',
  /* 23 */ '    deliver:',
  /* 24 */ '      base_url: "${ERP_URL}"',
  /* 25 */ '      auth: { scheme: none }',
  /* 26 */ '      timeout: 500ms',
  /* 27 */ '      entities:',
  /* 28 */ '        customer:',
  /* 29 */ '          find: { get: "/customers?ref={internal_id}", items: "", external_id: /id }',
  /* 30 */ `          create: { post: /customers, body: '{ "ref": entity.internal_id }', external_id: /id }`,
  /* 31 */ `          update: { put: "/customers/{external_id}", body: 'entity.data' }`,
  /* 32 */ 'entities:',
  /* 33 */ '  customer: { order_by: version, compose: { default: [crm], email: [erp, crm] } }',
  /* 34 */ '  order: { order_by: occurred_at }',
  /* 35 */ '  payment: { order_by: arrival }',
  /* 36 */ 'events:',
  /* 37 */ '  customer.updated: { entity: customer, strategy: overwrite, deliver_to: [erp], scope: { shared: [crm, erp] } }',
  /* 38 */ '  entity.updated: { entity: "*", strategy: overwrite }',
  /* 39 */ '  payment.completed: { entity: payment, strategy: ignore, apply: none }',
  /* 40 */ 'access:',
  /* 41 */ '  - { name: ops, role: operator, key: "${OPS_KEY}" }',
  /* 42 */ 'settings:',
  /* 43 */ '  retry: { max_retry: 3, backoff_base: 0.5, backoff_jitter: 0, cap: 1h }',
  /* 44 */ '  lease: 1m',
  /* 45 */ '  sweep_every: 1s',
];

function edited(...edits: readonly Edit[]): string {
  return editedLines(LINES, edits);
}

function mistakesIn(text: string): readonly string[] {
  const read = readContract(text, env);
  return read.kind === 'contract' ? [] : read.mistakes.map((mistake) => formatMistake('F', mistake).slice('F:'.length));
}

describe('a contract without mistakes', () => {
  const read = readContract(LINES.join('\n'), env);
  const contract = read.kind === 'contract' ? read.contract : undefined;

  test('is read with every pointer and template parsed and every variable replaced', () => {
    const crm = contract?.systems.get('crm');
    expect(crm?.externalIds.normalize).toEqual(['trim']);
    expect(crm?.ingest?.auth).toEqual([
      {
        scheme: 'signature',
        header: 'webhook-signature',
        algorithm: 'sha256',
        encoding: 'base64',
        prefix: 'v1,',
        signed: [
          { kind: 'header', name: 'webhook-id' },
          { kind: 'text', text: '.' },
          { kind: 'timestamp' },
          { kind: 'text', text: '.' },
          { kind: 'body' },
        ],
        timestamp: { at: { header: 'webhook-timestamp' }, format: 'unix', toleranceSeconds: 120 },
        keys: [Buffer.alloc(24, 7)],
      },
      { scheme: 'api-key', header: 'X-Key', secrets: ['crm-key'] },
    ]);
    expect(crm?.ingest?.webhooks).toMatchObject([{ eventType: 'customer.updated' }, { eventType: 'entity.updated' }]);
    expect(crm?.ingest?.fields.get('customer')).toEqual([
      { field: 'name', pointer: { source: '/full_name', steps: ['full_name'] } },
    ]);
    expect(contract?.accessKeys).toEqual([{ name: 'ops', role: 'operator', key: 'ops-key' }]);
  });

  test('compares conditions by the spelling of the file and by the one that numbers of a body get', () => {
    const conditions = contract?.systems.get('crm')?.ingest?.webhooks[0]?.when;
    expect(conditions).toEqual([
      { place: expect.objectContaining({ source: '/type' }), test: { kind: 'any_of', texts: ['changed'] } },
      { place: expect.objectContaining({ source: '/v' }), test: { kind: 'any_of', texts: ['1.0', '1', '2', 'true'] } },
    ]);
  });

  test('gives each target its calls', () => {
    const deliver = contract?.systems.get('erp')?.deliver;
    expect(deliver).toMatchObject({ baseUrl: 'https://erp.test/api', timeoutMs: 500 });
    expect(deliver?.entities.get('customer')).toMatchObject({
      find: {
        method: 'GET',
        path: '/customers?ref={internal_id}',
        items: { steps: [] },
        externalId: { steps: ['id'] },
      },
      create: { method: 'POST', path: '/customers', body: '{ "ref": entity.internal_id }' },
      update: { method: 'PUT', path: '/customers/{external_id}', body: 'entity.data' },
    });
  });

  test('says how entity and event types behave, with every default filled in', () => {
    expect(contract?.entityTypes.get('order')?.compose).toEqual({ default: ['crm'], fields: new Map() });
    expect(contract?.entityTypes.get('customer')?.compose.fields.get('email')).toEqual(['erp', 'crm']);
    expect(contract?.eventTypes.get('customer.updated')).toEqual({
      name: 'customer.updated',
      volatile: [],
      entity: 'customer',
      strategy: 'overwrite',
      operation: 'update',
      merge: new Map(),
      apply: 'patch',
      deliverTo: ['erp'],
      sharedScope: ['crm', 'erp'],
      references: [],
      keys: 'retained',
    });
    expect(contract?.eventTypes.get('payment.completed')).toMatchObject({ apply: 'none', deliverTo: [] });
    expect(contract?.settings).toEqual({
      retry: { maxRetry: 3, backoffBaseSeconds: 0.5, backoffJitterMs: 0, capSeconds: 3600 },
      leaseMs: 60_000,
      sweepEveryMs: 1000,
      parkForMs: 86_400_000,
    });
  });

  test('says how fields merge, who owns them, and which event types delete', () => {
    const text = edited(
      [
        33,
        'order_by: version, compose: { default: [crm], email: [erp, crm] }',
        'order_by: occurred_at, ties: arrival, compose: { default: [crm], email: latest }',
      ],
      [13, 'version: "{/version}"', 'occurred_at: "{/at}"'],
      [39, 'strategy: ignore, apply: none', 'strategy: merge, keys: forever, merge: { paid: { sum: /delta } }'],
      [37, 'strategy: overwrite', 'strategy: overwrite, operation: delete'],
    );
    const read = readContract(text, env);
    const merging = read.kind === 'contract' ? read.contract : undefined;
    expect(merging?.entityTypes.get('customer')).toMatchObject({ ties: 'arrival', mergedFields: new Set() });
    expect(merging?.entityTypes.get('customer')?.compose.fields.get('email')).toBe('latest');
    expect(merging?.entityTypes.get('payment')).toMatchObject({ ties: 'conflict', mergedFields: new Set(['paid']) });
    expect(merging?.eventTypes.get('customer.updated')).toMatchObject({ operation: 'delete', keys: 'retained' });
    expect(merging?.eventTypes.get('payment.completed')).toMatchObject({
      keys: 'forever',
      merge: new Map([['paid', { kind: 'sum', pointer: { source: '/delta', steps: ['delta'] } }]]),
    });
  });

  test('may limit what a system sends', () => {
    const read = readContract(edited([20, 'fields:', 'rate_limit: { max: 50, per: 2s }\n      fields:']), env);
    const limited = read.kind === 'contract' ? read.contract.systems.get('crm')?.ingest?.rateLimit : undefined;
    expect(limited).toEqual({ max: 50, perMs: 2_000 });
    expect(contract?.systems.get('crm')?.ingest).not.toHaveProperty('rateLimit');
  });

  test('may say which URL its sender sees, and who shows a password', () => {
    const url = 'public_url: https://hub.test/v1/webhooks/crm/\n      webhooks:';
    const basic = '{ scheme: basic, user: crm, secrets: ["${CRM_KEY}"] }';
    const text = edited(
      [8, 'webhooks:', url],
      [7, '{ scheme: api-key, header: X-Key, secrets: ["${CRM_KEY}"] }', basic],
    );
    const read = readContract(text, env);
    const ingest = read.kind === 'contract' ? read.contract.systems.get('crm')?.ingest : undefined;
    expect(ingest?.publicUrl).toBe('https://hub.test/v1/webhooks/crm');
    expect(ingest?.auth.at(-1)).toEqual({ scheme: 'basic', user: 'crm', secrets: ['crm-key'] });
  });

  test('has timings and id rules when it names none', () => {
    const short = readContract(
      'systems: { a: { ingest: { auth: { scheme: api-key, secrets: ["${CRM_KEY}"] } } } }\nentities: {}\nevents: {}',
      env,
    );
    expect(short).toMatchObject({
      kind: 'contract',
      contract: {
        accessKeys: [],
        settings: {
          retry: { maxRetry: 5, backoffBaseSeconds: 1, backoffJitterMs: 1000, capSeconds: 3600 },
          leaseMs: 60_000,
          sweepEveryMs: 10_000,
        },
      },
    });
    const system = short.kind === 'contract' ? short.contract.systems.get('a') : undefined;
    expect(system?.externalIds.normalize).toEqual(['trim', 'nfc']);
    expect(system?.ingest).toMatchObject({ auth: [{ header: 'X-Api-Key' }], webhooks: [] });
  });

  test('may share blocks by anchors and merge keys', () => {
    const text = edited(
      [34, '{ order_by: occurred_at }', '&plain { order_by: occurred_at }'],
      [35, '{ order_by: arrival }', '{ <<: *plain, order_by: arrival }'],
    );
    expect(mistakesIn(text)).toEqual([]);
  });
});

const golden = new GoldenMistakes(new URL('read-contract.mistakes.txt', import.meta.url), (edit) =>
  mistakesIn(edited(edit)),
);

describe('a mistake is reported with its line and column', () => {
  golden.updateIfAsked();
  const rows = golden.rows();

  test.each(rows)('when line and piece become another: $edit', ({ edit, expected }) => {
    expect(mistakesIn(edited(edit))).toEqual(expected);
  });

  test('and no row of the table is overlooked', () => {
    expect(rows).toHaveLength(golden.arrows());
  });
});

describe('mistakes do not hide each other', () => {
  test('ten mistakes of every kind are reported at once, in the order of the file', () => {
    const text = edited(
      [3, 'normalize', 'normalise'],
      [6, '${SIGN}', '${UNSET}'],
      [11, '{/version}', '{version}'],
      [12, 'type: customer', 'type: customers'],
      [24, '${ERP_URL}', 'erp'],
      [26, '500ms', '500'],
      [31, 'entity.data', 'entity.'],
      [34, 'occurred_at', 'newest'],
      [37, '[erp]', '[erp, wms]'],
      [41, 'role: operator, ', ''],
    );
    expect(mistakesIn(text).map((line) => line.split(' ')[0])).toEqual([
      '3:21',
      '6:50',
      '11:28',
      '12:27',
      '24:17',
      '26:16',
      '31:60',
      '34:22',
      '37:80',
      '41:5',
    ]);
  });

  test('a rule must give the order value that a merge needs', () => {
    const text = edited([13, 'version: "{/version}"', 'occurred_at: "{/at}"'], [37, 'overwrite', 'merge']);
    expect(mistakesIn(text)).toEqual([
      '9:11 systems.crm.ingest.webhooks[0]: `version` is missing: `customer.updated` merges, and `customer` is ordered by it',
    ]);
  });

  test('an unset variable is told apart from a mistake, and refuses the contract as well', () => {
    const read = readContract(edited([24, '${ERP_URL}', '${UNSET}'], [26, '500ms', '5']), env);
    const kinds = read.kind === 'refused' ? read.mistakes.map(({ kind }) => kind) : [];
    expect(kinds).toEqual(['unset_environment', 'mistake']);
    expect(readContract(edited([24, '${ERP_URL}', '${UNSET}']), env).kind).toBe('refused');
  });

  test('no message quotes a secret, wherever it was written', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const texts = [
      edited([6, '${SIGN}', secret]),
      edited([41, '"${OPS_KEY}"', `{ value: ${secret} }`]),
      edited([41, '"${OPS_KEY}"', `"${secret}`]),
      edited([24, '${ERP_URL}', `https://me:${secret}@erp.test`]),
    ];
    for (const text of texts) {
      expect(mistakesIn(text)).not.toEqual([]);
      expect(mistakesIn(text).join('\n')).not.toContain(secret);
    }
  });

  test.each(['', '# nothing yet\n', '~'])('an empty file says what belongs into it: %j', (text) => {
    expect(mistakesIn(text)).toEqual(['1:1 the contract is empty; expected `systems`, `entities` and `events`']);
  });

  test('a file of another kind misses every section', () => {
    expect(mistakesIn('[1, 2]')).toEqual(['1:1 found a list; expected a block of keys']);
    expect(mistakesIn('__proto__: 1')).toEqual([
      '1:1 `systems` is missing',
      '1:1 `entities` is missing',
      '1:1 `events` is missing',
      expect.stringMatching(/^1:1 __proto__: unknown key/),
    ]);
  });

  test('aliases of aliases cannot exhaust the memory', () => {
    const bomb = Array.from(
      { length: 12 },
      (_, n) =>
        `a${n}: &a${n} [${Array(12)
          .fill(n === 0 ? 1 : `*a${n - 1}`)
          .join(', ')}]`,
    );
    expect(mistakesIn(bomb.join('\n'))[0]).toBe('1:1 the aliases make this file grow beyond measure');
  });
});
