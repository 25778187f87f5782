import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { edited, GoldenMistakes, type Edit } from '../../../../../test/support/spoiled-contract.js';
import { parseCallTemplate } from '../../call-template.js';
import type { Contract } from '../../contract.js';
import { examineContract, examineWholeGrammar } from '../../examine-contract.js';
import { formatMistake } from '../../format-mistake.js';

const ENVIRONMENT: Readonly<Record<string, string>> = {
  URL: 'https://erp.test/api/',
  LOCAL_URL: 'http://localhost:4010',
  TWO_WORDS: 'two words',
};
const env = (name: string) => ENVIRONMENT[name] ?? `the-value-of-${name}`;

/** Every word of the grammar of targets, once. */
const LINES = [
  /*  1 */ 'systems:',
  /*  2 */ '  crm:',
  /*  3 */ '    ingest: { auth: { scheme: api-key, secrets: ["${CRM_KEY}"] } }',
  /*  4 */ '  erp:',
  /*  5 */ '    connection:',
  /*  6 */ '      base_url: "${URL}"',
  /*  7 */ '      auth:',
  /*  8 */ '        scheme: login',
  /*  9 */ '        with: { scheme: basic, user: hub, password: "${PASSWORD}" }',
  /* 10 */ `        login: { post: /session, headers: { X-Ask: "{secrets.key}" }, body: '{ "key": $secrets.key }', take: { csrf: "{header/x-csrf}" }, cookies: keep }`,
  /* 11 */ '        send: { X-CSRF: "{csrf}" }',
  /* 12 */ '        renew_when: { status: 403, header/x-csrf: Required }',
  /* 13 */ '      rate_limit: { max: 100, per: 10s }',
  /* 14 */ '      timeout: { connect: 2s, headers: 20s, body: 8s }',
  /* 15 */ '      secrets: { key: "${KEY}" }',
  /* 16 */ '    ingest:',
  /* 17 */ '      auth: { scheme: api-key, secrets: ["${ERP_KEY}"] }',
  /* 18 */ '      webhooks:',
  /* 19 */ '        - { when: { /type: done }, completes: { entity: order, ticket: "{/job}", external_id: "{/id}" } }',
  /* 20 */ '        - { when: { /type: failed }, completes: { entity: order, ticket: "{/job}", refused: "{/why}" } }',
  /* 21 */ '    deliver:',
  /* 22 */ '      secrets: { db: "${DB}" }',
  /* 23 */ '      answers:',
  /* 24 */ '        - { status: [409, 412], is: changed }',
  /* 25 */ '        - { when: { /error/name: [Missing, Gone] }, is: not_found }',
  /* 26 */ '        - { when: { /error: { exists: true } }, is: final, reason: "{/error/message}" }',
  /* 27 */ '      entities:',
  /* 28 */ '        customer:',
  /* 29 */ `          find: { post: /find, items: /result, external_id: /id, body: '[$secrets.db, entity.internal_id]' }`,
  /* 30 */ '          upsert: { patch: "/customers/{internal_id}", body: entity.data, external_id: /id }',
  /* 31 */ `          delete: { patch: "/customers/{external_id}", body: '{ "active": false }' }`,
  /* 32 */ '        order:',
  /* 33 */ '          needs: { customer: [/customer_id, /bill_to], product: /lines/*/product_id }',
  /* 34 */ '          create:',
  /* 35 */ '            post: /orders',
  /* 36 */ `            body: '{ "customer": $ref("customer", event.payload.customer_id), "total": $exact("1.00"), "all": refs }'`,
  /* 37 */ '            external_id: /id',
  /* 38 */ '            on_unknown: retry',
  /* 39 */ '            accepted: { status: 202, ticket: /job, within: 1h, ask: { get: "/jobs/{ticket}", every: 5s, external_id: /result/id, refused_when: { /status: failed } } }',
  /* 40 */ '          update:',
  /* 41 */ '            before: { get: "/orders/{external_id}", as: current }',
  /* 42 */ '            put: "/orders/{external_id}?v={current/version}"',
  /* 43 */ '            headers: { If-Match: "{current.header/etag}" }',
  /* 44 */ `            body: '$merge([current, entity.data])'`,
  /* 45 */ 'entities: { customer: { order_by: version }, order: { order_by: version }, product: { order_by: version } }',
  /* 46 */ 'events:',
  /* 47 */ '  customer.updated: { entity: customer, strategy: overwrite, deliver_to: [erp] }',
  /* 48 */ '  order.placed:',
  /* 49 */ '    { entity: order, strategy: overwrite, deliver_to: [erp], on_refused: { emit: order.rejected },',
  /* 50 */ '      references: { /customer_id: { type: customer, missing: wait }, /bill_to: { type: customer, missing: create } } }',
  /* 51 */ '  order.rejected: { entity: order, strategy: ignore, apply: none }',
];

function examine(text: string): { readonly contract?: Contract; readonly lines: readonly string[] } {
  const { contract, mistakes } = examineWholeGrammar(text, env);
  const lines = mistakes.map((mistake) => {
    const line = formatMistake('F', mistake).slice('F:'.length);
    return mistake.kind === 'warning' && !/warning/.test(line) ? `${line} (warning)` : line;
  });
  return { ...(contract && { contract }), lines };
}

const { contract, lines } = examine(LINES.join('\n'));
const erp = contract?.systems.get('erp');

describe('the grammar of targets is read', () => {
  test('and only what is taken for granted is said', () => {
    expect(lines).toEqual([
      '33:65 systems.erp.deliver.entities.order.needs.product: no event type lists `/lines/*/product_id` under `references`; it is taken for `{ type: product, missing: create, none: [null, absent] }` (warning)',
    ]);
  });

  test('a target takes from the connection what it does not say itself', () => {
    expect(erp?.connection).toMatchObject({
      baseUrl: 'https://erp.test/api',
      rateLimit: { max: 100, perMs: 10_000 },
      timeoutMs: 30_000,
      timeouts: { connectMs: 2_000, headersMs: 20_000, bodyMs: 8_000 },
      isPrivateAllowed: false,
      secrets: new Map([['key', 'the-value-of-KEY']]),
    });
    expect(erp?.deliver).toMatchObject({ baseUrl: 'https://erp.test/api', timeoutMs: 30_000 });
    expect(erp?.deliver?.auth).toBe(erp?.connection?.auth);
    expect(erp?.deliver?.secrets).toEqual(
      new Map([
        ['key', 'the-value-of-KEY'],
        ['db', 'the-value-of-DB'],
      ]),
    );
  });

  test('a login with its session', () => {
    expect(erp?.connection?.auth).toMatchObject({
      scheme: 'login',
      with: { scheme: 'basic', user: 'hub', password: 'the-value-of-PASSWORD' },
      login: { method: 'POST', path: '/session', body: '{ "key": $secrets.key }' },
      take: new Map([['csrf', expect.objectContaining({ source: '{header/x-csrf}' })]]),
      keepsCookies: true,
      send: new Map([['X-CSRF', parseCallTemplate('{csrf}')]]),
      renewWhen: { statuses: [403], when: [{ test: { kind: 'any_of', texts: ['Required'] } }] },
    });
  });

  test('what answers mean', () => {
    expect(erp?.deliver?.answers).toMatchObject([
      { statuses: [409, 412], when: [], is: 'changed' },
      { statuses: [], when: [{ test: { texts: ['Missing', 'Gone'] } }], is: 'not_found' },
      { statuses: [], when: [{ test: { kind: 'exists' } }], is: 'final', reason: { source: '{/error/message}' } },
    ]);
  });

  test('an asynchronous create, and who tells its end', () => {
    expect(erp?.deliver?.entities.get('order')?.create).toMatchObject({
      onUnknown: 'retry',
      accepted: {
        statuses: [202],
        ticket: { kind: 'item', source: '/job' },
        withinMs: 3_600_000,
        ask: { path: '/jobs/{ticket}', everyMs: 5_000, refusedWhen: { statuses: [], when: [{}] } },
      },
    });
    expect(erp?.ingest?.webhooks).toMatchObject([
      { kind: 'completes', entityType: 'order', end: { kind: 'created', externalId: { source: '{/id}' } } },
      { kind: 'completes', entityType: 'order', end: { kind: 'refused', reason: { source: '{/why}' } } },
    ]);
  });

  test('an update that reads first, an upsert and a delete that archives', () => {
    expect(erp?.deliver?.entities.get('order')?.update).toMatchObject({
      method: 'PUT',
      before: { method: 'GET', path: '/orders/{external_id}' },
      headers: new Map([['If-Match', parseCallTemplate('{current.header/etag}')]]),
    });
    expect(erp?.deliver?.entities.get('customer')).toMatchObject({
      upsert: { method: 'PATCH', externalId: { source: '/id' } },
      delete: { method: 'PATCH', body: '{ "active": false }' },
    });
  });

  test('needs are references, also where no event type says so', () => {
    expect(erp?.deliver?.entities.get('order')?.needs).toMatchObject([
      { entityType: 'customer', path: { source: '/customer_id' } },
      { entityType: 'customer', path: { source: '/bill_to' } },
      { entityType: 'product', path: { source: '/lines/*/product_id' } },
    ]);
    expect(
      contract?.eventTypes.get('order.placed')?.references.map(({ path, missing }) => [path.source, missing]),
    ).toEqual([
      ['/customer_id', 'wait'],
      ['/bill_to', 'create'],
      ['/lines/*/product_id', 'create'],
    ]);
    expect(contract?.eventTypes.get('order.placed')?.onRefused).toEqual({ emit: 'order.rejected' });
    expect(contract?.eventTypes.get('order.rejected')?.references).toEqual([]);
  });

  test.each([
    ['{ scheme: bearer, token: "${T}" }', { scheme: 'bearer', token: 'the-value-of-T' }],
    ['{ scheme: basic, user: "${U}", password: "${P}" }', { user: 'the-value-of-U', password: 'the-value-of-P' }],
    [
      '{ scheme: hmac, header: X-Sig, secret: "${S}", signed: "{method}{url}{body}{timestamp}", timestamp: { header: X-Time, format: unix_ms } }',
      {
        scheme: 'hmac',
        header: 'X-Sig',
        signed: [{ kind: 'method' }, { kind: 'url' }, { kind: 'body' }, { kind: 'timestamp' }],
        timestamp: { header: 'X-Time', format: 'unix_ms' },
        key: Buffer.from('the-value-of-S'),
      },
    ],
    [
      '{ scheme: oauth2-client-credentials, token_url: "${URL}/token", client_id: hub, client_secret: "${S}", scope: a b, audience: erp, credentials_in: body }',
      { tokenUrl: 'https://erp.test/api/token', clientId: 'hub', scope: 'a b', audience: 'erp', credentialsIn: 'body' },
    ],
  ])('a target proves itself with %s', (auth, expected) => {
    const read = examine(edited(LINES, [[22, 'secrets:', `auth: ${auth}\n      secrets:`]]));
    expect(read.contract?.systems.get('erp')?.deliver?.auth).toMatchObject(expected);
  });

  test('connecting gets at most half of one limit for the whole call', () => {
    const within = (timeout: string) =>
      examine(edited(LINES, [[14, '{ connect: 2s, headers: 20s, body: 8s }', timeout]])).contract?.systems.get('erp')
        ?.deliver;
    expect(within('600ms')).toMatchObject({
      timeoutMs: 600,
      timeouts: { connectMs: 300, headersMs: 600, bodyMs: 600 },
    });
    expect(within('1m')).toMatchObject({ timeoutMs: 60_000, timeouts: { connectMs: 5_000 } });
  });

  test('a private address is allowed where the contract says so, and nowhere else', () => {
    const text = edited(LINES, [[6, '"${URL}"', '"${LOCAL_URL}"\n      allow_private: true']]);
    expect(examine(text).contract?.systems.get('erp')?.deliver).toMatchObject({ isPrivateAllowed: true });
    expect(examine(edited(LINES, [[6, '${URL}', '${LOCAL_URL}']])).contract).toBeUndefined();
  });
});

const golden = new GoldenMistakes(new URL('read-deliver.mistakes.txt', import.meta.url), (edit) => mistakesOf(edit));

/** Without what is said of the contract as it stands, wherever the edit has moved it. */
function mistakesOf(edit: Edit): readonly string[] {
  const said = lines.map(withoutPosition);
  return examine(edited(LINES, [edit])).lines.filter((line) => !said.includes(withoutPosition(line)));
}

function withoutPosition(line: string): string {
  return line.replace(/^\S+ /, '');
}

describe('a mistake in a target is reported with its line and column', () => {
  golden.updateIfAsked();
  const rows = golden.rows();

  test.each(rows)(
    'when line and piece become another: $edit',
    ({ edit, expected }: { edit: Edit; expected: readonly string[] }) => {
      expect(mistakesOf(edit)).toEqual(expected);
    },
  );

  test('and no row of the table is overlooked', () => {
    expect(rows).toHaveLength(golden.arrows());
  });
});

describe('an answer means only what some call of the target can meet', () => {
  const FIND = 'find: { get: /c, external_id: /id }';
  const CREATE = 'create: { post: /c, body: entity, external_id: /id }';
  const UPSERT = 'upsert: { put: /c, body: entity, external_id: /id }';
  const UPDATE = 'update: { put: /c, body: entity }';
  const READING = 'update: { before: { get: /c }, put: /c, body: entity }';

  test.each([
    ['ok', CREATE, true],
    ['retryable', UPDATE, true],
    ['throttled', CREATE, true],
    ['final', CREATE, true],
    ['auth', CREATE, true],
    ['not_found', CREATE, false],
    ['not_found', UPDATE, true],
    ['not_found', `${FIND}, ${CREATE}`, true],
    ['not_found', `${CREATE}, delete: { delete: /c }`, true],
    ['exists', UPDATE, false],
    ['exists', CREATE, true],
    ['exists', UPSERT, true],
    ['exists', `${FIND}, ${CREATE}`, true],
    ['changed', UPDATE, false],
    ['changed', READING, true],
    ['changed', UPSERT, false],
    ['ambiguous', `${CREATE}, ${UPDATE}`, false],
    ['ambiguous', UPSERT, true],
    ['ambiguous', `${FIND}, ${CREATE}`, true],
  ])('%s with %s: %s', (meaning, calls, isLegal) => {
    const { lines: found } = examine(`systems:
  erp:
    deliver:
      base_url: https://erp.test
      answers: [{ status: 400, is: ${meaning} }]
      entities: { customer: { ${calls} } }
entities: { customer: { order_by: version } }
events: {}`);
    const isLookedUp = meaning !== 'exists' || !isLegal || calls.includes('find');
    expect(found.filter((line) => line.includes('has to link it'))).toHaveLength(isLookedUp ? 0 : 1);
    const complaints = found.filter((line) => line.includes('can be answered'));
    expect(complaints).toHaveLength(isLegal ? 0 : 1);
  });
});

test('what nothing carries out yet is refused at its place', () => {
  const refused = examineContract(LINES.join('\n'), env).mistakes.filter(({ kind }) => kind === 'mistake');
  expect(refused.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '8 `login` is not there yet',
    '13 `rate_limit` is not there yet',
    '14 `connect` is not there yet',
    '14 `headers` is not there yet',
    '14 `body` is not there yet',
    '15 `secrets` is not there yet',
    '19 `completes` is not there yet',
    '20 `completes` is not there yet',
    '22 `secrets` is not there yet',
    '23 `answers` is not there yet',
    '29 `$secrets` is not there yet',
    '30 `upsert` is not there yet',
    '31 `delete` is not there yet',
    '33 `needs` is not there yet',
    '36 `$ref` is not there yet',
    '38 `on_unknown` is not there yet',
    '39 `accepted` is not there yet',
    '41 `before` is not there yet',
    '43 `headers` is not there yet',
    '49 `on_refused` is not there yet',
  ]);
});

test('a connection that nothing makes use of is refused as well', () => {
  const text = `systems:
  crm: { connection: { base_url: https://crm.test }, ingest: { auth: { scheme: api-key, secrets: ['\${KEY}'] } } }
entities: {}
events: {}`;
  expect(examineContract(text, env).mistakes.map(({ message }) => message)).toEqual(['`connection` is not there yet']);
  expect(examineWholeGrammar(text, env).mistakes).toEqual([]);
});

const VENDORS = new URL('../../../../../test/cases/contracts/', import.meta.url);

describe('contracts that were written for real systems', () => {
  test.each(readdirSync(VENDORS))('%s is read, and lacks nothing but notices', (file) => {
    const { mistakes } = examineWholeGrammar(readFileSync(new URL(file, VENDORS), 'utf8'), (name) =>
      name.endsWith('_URL') ? 'https://target.test' : `the-value-of-${name}`,
    );
    const found = mistakes.filter(({ kind }) => kind !== 'warning').map(({ path, message }) => `${path}: ${message}`);
    expect(found).toEqual(file === 'hubspot.yaml' ? NOTICES : []);
  });
});

const NOTICES = [
  'systems.crm.ingest.webhooks[0].notice: `notice` is not there yet',
  'systems.crm.ingest.read: `read` is not there yet',
  'entities.customer.order_by: `read` is not there yet; expected `version`, `occurred_at` or `arrival`',
];
