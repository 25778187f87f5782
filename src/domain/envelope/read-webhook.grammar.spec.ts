import { describe, expect, test } from '@jest/globals';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { webhookOf } from '../../../test/support/message-of.js';
import type { ReceivedEvent } from '../event.js';
import type { Reception } from './complete-event.js';
import { answerUnsigned, answerWebhook, readWebhook, type ReadWebhook } from './read-webhook.js';

interface Beside {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** A shop whose only rules are these, written as in `crosswalk.yaml`. */
function shopWith(rules: string, events = '', auth = ''): (text: string, beside?: Beside) => ReadWebhook {
  const reception = receptionWith(rules, events, auth);
  return (text, beside) => readWebhook(webhookOf(text, beside), reception);
}

function receptionWith(rules: string, events = '', auth = ''): Reception {
  const contract = contractFrom(`
systems:
  gateway: { ingest: { auth: { scheme: api-key, secrets: ['\${GATEWAY_KEY}'] } } }
  shop:
    ingest:
      auth: { scheme: api-key, secrets: ['\${SHOP_KEY}']${auth} }
      webhooks:
${rules.replaceAll(/^/gm, '        ')}
entities:
  order: { order_by: occurred_at }
  payment: { order_by: arrival }
events:
  order.changed: { entity: order, strategy: overwrite${events} }
  payment.made: { entity: payment, strategy: ignore${events} }
`);
  return {
    contract,
    source: named(contract.systems, 'shop'),
    correlationId: 'ours',
    traceparent: undefined,
    nowMicros: BigInt(Date.UTC(2026, 0, 2)) * 1000n,
  };
}

function eventOf(read: ReadWebhook): ReceivedEvent {
  if (read.kind === 'event') return read.event;
  throw new Error(JSON.stringify(read));
}

function eventsOf(read: ReadWebhook): readonly ReceivedEvent[] {
  if (read.kind !== 'each') throw new Error(JSON.stringify(read));
  return read.items.map(eventOf);
}

const PAYMENT = `- event_type: payment.made
  idempotency_key: 'pay:{/id}'
  entity: { type: payment, external_id: '{/id}' }
`;

describe('a place', () => {
  const read = shopWith(`- when: { header/X-Topic: orders/paid, query/shop: main }
  event_type: payment.made
  idempotency_key: 'pay:{/id}:{header/x-event-id}'
  entity: { type: payment, external_id: '{query/pid}' }
  correlation_id: '{header/x-flow}'
`);
  const headers = { 'x-topic': 'orders/paid', 'x-event-id': 'E:1', 'x-flow': 'flow-7' };

  test('may be in headers and in the query, for conditions as for templates', () => {
    expect(eventOf(read('{"id":7}', { headers, query: { shop: 'main', pid: 'P-1' } }))).toMatchObject({
      idempotencyKey: 'pay:7:E%3A1',
      entity: { externalId: 'P-1' },
      correlationId: 'flow-7',
    });
  });

  test('that is not there fails the condition, or names what is missing', () => {
    expect(read('{"id":7}', { headers, query: { pid: 'P-1' } })).toMatchObject({ code: 'webhook.unmatched' });
    expect(read('{"id":7}', { headers: { 'x-topic': 'orders/paid' }, query: { shop: 'main' } })).toMatchObject({
      reason: 'The rule reads the idempotency key from `header/x-event-id`, where no usable value stands.',
    });
  });
});

describe('a condition', () => {
  const isTaken = (condition: string, text: string, beside?: Beside): boolean =>
    shopWith(PAYMENT.replace('- ', `- when: { ${condition} }\n  `))(text, beside).kind === 'event';

  test.each([
    ['/x: { exists: true }', '{"id":1,"x":0}', true],
    ['/x: { exists: true }', '{"id":1,"x":[]}', true],
    ['/x: { exists: true }', '{"id":1,"x":null}', false],
    ['/x: { exists: true }', '{"id":1}', false],
    ['/x: { exists: false }', '{"id":1}', true],
    ['/x: { exists: false }', '{"id":1,"x":null}', true],
    ['/x: { exists: false }', '{"id":1,"x":""}', false],
    ['/x: { matches: "must be uni" }', '{"id":1,"x":"it must be unique"}', true],
    ['/x: { matches: "^must" }', '{"id":1,"x":"it must be unique"}', false],
    ['/x: { matches: "^12$" }', '{"id":1,"x":12}', true],
    ['/x: { matches: "" }', '{"id":1,"x":{}}', false],
    ['/x: { not: a }', '{"id":1,"x":"b"}', true],
    ['/x: { not: a }', '{"id":1}', true],
    ['/x: { not: a }', '{"id":1,"x":"a"}', false],
    ['/x: { not: [a, b] }', '{"id":1,"x":"b"}', false],
    ['/x: { not: { matches: "^a" } }', '{"id":1,"x":"ab"}', false],
    ['/x: a, /y: b', '{"id":1,"x":"a","y":"b"}', true],
    ['/x: a, /y: b', '{"id":1,"x":"a","y":"c"}', false],
    ['body/x: a', '{"id":1,"x":"a"}', true],
  ])('%s of %s: %s', (condition, text, expected) => {
    expect(isTaken(condition, text)).toBe(expected);
  });

  test('may hold a variable of the environment', () => {
    const whsec = `whsec_${Buffer.from('VERIFY'.padEnd(32, '.')).toString('base64')}`;
    expect(isTaken(`query/token: '\${VERIFY}'`, '{"id":1}', { query: { token: whsec } })).toBe(true);
    expect(isTaken(`query/token: '\${VERIFY}'`, '{"id":1}', { query: { token: 'x' } })).toBe(false);
  });

  test('whose pattern would hold other engines for years is judged at once', () => {
    expect(isTaken('/x: { matches: "^(a+)+$" }', `{"id":1,"x":"${'a'.repeat(50_000)}!"}`)).toBe(false);
  });
});

describe('a list in the body', () => {
  test('is one event per element, each judged by the conditions alone', () => {
    const read = shopWith(`- each: ''
  when: { /type: made }
  event_type: payment.made
  idempotency_key: 'pay:{/id}'
  entity: { type: payment, external_id: '{/id}' }
- each: ''
  when: { /type: moved }
  event_type: order.changed
  idempotency_key: 'order:{/id}:{/at}'
  entity: { type: order, external_id: '{/id}' }
  occurred_at: '{/at}'
`);
    const list = read(
      '[{"type":"made","id":1},{"type":"moved","id":2,"at":"2026-01-01T00:00:00Z"},{"type":"made","id":3.0}]',
    );
    expect(eventsOf(list)).toMatchObject([
      { idempotencyKey: 'pay:1', payload: '{"type":"made","id":1}' },
      { idempotencyKey: 'order:2:2026-01-01T00%3A00%3A00.000000Z', eventType: 'order.changed' },
      { idempotencyKey: 'pay:3', payload: '{"type":"made","id":3.0}' },
    ]);
  });

  test('keeps the place of an element that no rule takes or can read', () => {
    const read = shopWith(
      PAYMENT.replace('- ', '- each: /items\n  when: { body/kind: paid, /skip: { exists: false } }\n  '),
    );
    expect(read('{"kind":"paid","items":[{"id":1},{"skip":1},{},{"id":2}]}')).toMatchObject({
      kind: 'each',
      items: [
        { kind: 'event' },
        { kind: 'unmatched', code: 'webhook.unmatched' },
        { kind: 'unmatched', reason: expect.stringContaining('`/id`') },
        { kind: 'event' },
      ],
    });
  });

  test('of scalars gives each as `{item}`, and a payload that says so', () => {
    const read = shopWith(`- each: /keys
  event_type: payment.made
  idempotency_key: 'pay:{item}:{body/batch}'
  entity: { type: payment, external_id: '{item}' }
`);
    const [first, second] = eventsOf(read('{"batch":9,"keys":["a",9007199254740993]}'));
    expect(first).toMatchObject({ idempotencyKey: 'pay:a:9', payload: '{"item":"a"}' });
    expect(second).toMatchObject({ entity: { externalId: '9007199254740993' }, payload: '{"item":9007199254740993}' });
  });

  test('that no rule takes an element of leaves the webhook to the rules below', () => {
    const read = shopWith(`- each: /items
  when: { /type: made }
  event_type: payment.made
  idempotency_key: 'pay:{/id}'
  entity: { type: payment, external_id: '{/id}' }
${PAYMENT}`);
    expect(eventOf(read('{"id":1,"items":[{"type":"other"}]}')).idempotencyKey).toBe('pay:1');
    expect(eventOf(read('{"id":1,"items":"none"}')).idempotencyKey).toBe('pay:1');
  });

  test('that is empty says nothing, and nothing is kept of it', () => {
    const read = shopWith(PAYMENT.replace('- ', "- each: ''\n  "));
    expect(read('[]')).toEqual({ kind: 'each', items: [] });
    expect(read('{}')).toMatchObject({ kind: 'unmatched' });
  });

  test('that is longer than anybody waits for is kept whole', () => {
    const read = shopWith(PAYMENT.replace('- ', "- each: ''\n  "));
    const list = (length: number) => `[${'{"id":1},'.repeat(length - 1)}{"id":1}]`;
    expect(read(list(10_000)).kind).toBe('each');
    expect(read(list(10_001))).toMatchObject({ kind: 'unmatched', reason: expect.stringContaining('10001 elements') });
  });
});

describe('a record inside its envelope', () => {
  const rule = `- event_type: payment.made
  idempotency_key: '{/id}'
  entity: { type: payment, external_id: '{/data/object/id}' }
  payload: /data/object
`;

  test('is the payload, digit by digit, and its ids compare as ids', () => {
    const read = shopWith(rule);
    const [one, other] = ['7', '" 7 "'].map((id) =>
      eventOf(read(`{"id":"evt_1","data":{"object":{"id":${id},"amount":100.00}}}`)),
    );
    expect(one?.payload).toBe('{"id":7,"amount":100.00}');
    expect(other?.fingerprint).toBe(one?.fingerprint);
  });

  test('is needed as an object', () => {
    expect(shopWith(rule)('{"id":"evt_1","data":{"object":{"id":1}}}').kind).toBe('event');
    expect(shopWith(rule.replace('/data/object\n', '/data\n'))('{"id":"e","data":[]}')).toMatchObject({
      code: 'webhook.unmatched',
    });
  });
});

describe('a digest', () => {
  const read = shopWith(
    `- event_type: payment.made
  idempotency_key: 'pay:{/id}:{hash}'
  entity: { type: payment, external_id: '{/id}' }
`,
    ', volatile: [/sent_at, /lines/*/printed]',
  );
  const keyOf = (text: string): string => eventOf(read(text)).idempotencyKey;

  test('is one for all spellings of one content', () => {
    const key = keyOf('{"id":1,"total":12.50,"at":"2026-01-01T00:00:00Z"}');
    expect(key).toMatch(/^pay:1:[0-9a-f]{64}$/);
    expect(keyOf('{ "at":"2026-01-01T08:00:00+08:00","total":12.5, "id":1 }')).toBe(key);
    expect(keyOf('{"id":1,"total":12.51,"at":"2026-01-01T00:00:00Z"}')).not.toBe(key);
  });

  test('leaves out what is volatile, as the fingerprint does', () => {
    const [one, other] = [1, 2].map((at) =>
      eventOf(read(`{"id":1,"sent_at":${at},"lines":[{"sku":"a","printed":${at}}]}`)),
    );
    expect(other?.idempotencyKey).toBe(one?.idempotencyKey);
    expect(other?.fingerprint).toBe(one?.fingerprint);
  });
});

describe('an instant', () => {
  const at = (source: string, value: string): ReadWebhook =>
    shopWith(`- event_type: order.changed
  idempotency_key: 'order:{/id}:{/at}'
  entity: { type: order, external_id: '{/id}' }
  occurred_at: ${source}
`)(`{"id":1,"at":${value}}`);

  test.each([
    [`'{/at}'`, '"2026-01-01T08:00:00+08:00"'],
    [`{ from: '{/at}', format: rfc3339 }`, '"2026-01-01T00:00:00Z"'],
    [`{ from: '{/at}', format: unix }`, '1767225600'],
    [`{ from: '{/at}', format: unix }`, '"1767225600"'],
    [`{ from: '{/at}', format: unix }`, '1.7672256e9'],
    [`{ from: '{/at}', format: unix_ms }`, '1767225600000'],
    [`{ from: '{/at}', format: local, zone: UTC }`, '"2026-01-01 00:00:00"'],
    [`{ from: '{/at}', format: local, zone: Europe/Berlin }`, '"2026-01-01T01:00:00"'],
  ])('%s of %s', (source, value) => {
    expect(eventOf(at(source, value)).occurredAtMicros).toBe(BigInt(Date.UTC(2026, 0, 1)) * 1000n);
  });

  test('in another format than declared is kept with both', () => {
    expect(at(`{ from: '{/at}', format: unix }`, '"2026-01-01T00:00:00Z"')).toEqual({
      kind: 'unmatched',
      code: 'occurred_at.invalid',
      reason: '`occurred_at` is read from `{/at}` as `unix`; `2026-01-01T00:00:00Z` is none.',
    });
  });

  test('has one spelling as a part of a key, and keeps its own where it would lose a digit', () => {
    const keys = ['2026-01-01T08:00:00+08:00', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.0000001Z'].map(
      (value) => eventOf(at(`'{/at}'`, JSON.stringify(value))).idempotencyKey,
    );
    expect(keys).toEqual([
      'order:1:2026-01-01T00%3A00%3A00.000000Z',
      'order:1:2026-01-01T00%3A00%3A00.000000Z',
      'order:1:2026-01-01T00%3A00%3A00.0000001Z',
    ]);
  });
});

test('an id is no instant, however it looks, and booleans are one with their texts', () => {
  const read = shopWith(PAYMENT.replace("'pay:{/id}'", "'pay:{/id}:{/live}'"));
  const [one, other, padded] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', ' 2026-01-01T00:00:00Z '].map(
    (id) => eventOf(read(JSON.stringify({ id, live: true }))),
  );
  expect(other?.idempotencyKey).not.toBe(one?.idempotencyKey);
  expect(padded?.idempotencyKey).toBe(one?.idempotencyKey);
  const asText = eventOf(read(JSON.stringify({ id: '2026-01-01T00:00:00Z', live: 'true' })));
  expect([asText.idempotencyKey, asText.fingerprint]).toEqual([one?.idempotencyKey, one?.fingerprint]);
});

test('a link is spelt as the events of its system are, and its number compares as text', () => {
  const contract = `
systems:
  erp: { ingest: { auth: { scheme: api-key, secrets: ['\${ERP}'] } } }
  shop:
    ingest:
      auth: { scheme: api-key, secrets: ['\${SHOP}'] }
      may_link: [erp]
      webhooks:
        - event_type: payment.made
          idempotency_key: 'pay:{/id}'
          entity: { type: payment, external_id: '{/id}' }
          links: [{ system: erp, external_id: 'E-{/erp}' }]
entities: { payment: { order_by: arrival } }
events: { payment.made: { entity: payment, strategy: ignore } }
`;
  const read = contractFrom(contract);
  const source = named(read.systems, 'shop');
  const reception = { contract: read, source, correlationId: 'c', traceparent: undefined, nowMicros: 0n };
  const [padded, asNumber, asText] = ['" 7 "', '7', '"7"'].map((erp) =>
    eventOf(readWebhook(webhookOf(`{"id":"P-1","erp":${erp}}`), reception)),
  );
  expect(padded?.links?.others.map(({ externalId }) => externalId)).toEqual(['E-7']);
  expect(asText?.fingerprint).toBe(asNumber?.fingerprint);
});

test('a gateway may report on the order of another system, whose rules its id follows', () => {
  const read = shopWith(PAYMENT.replace('type: payment,', 'type: payment, system: gateway,'));
  expect(eventOf(read('{"id":" P-1 "}'))).toMatchObject({
    source: 'shop',
    idempotencyKey: 'pay:P-1',
    entity: { system: 'gateway', externalId: 'P-1', rawExternalId: ' P-1 ' },
  });
});

describe('a question whether somebody is there', () => {
  const rules = `- when: { /type: url_verification }
  answer: { status: 200, text: '{/challenge}' }
- when: { query/hub.mode: subscribe }
  answer: { status: 202, text: '{query/hub.challenge}' }
- when: { /type: ping }
  answer: { status: 204 }
${PAYMENT}`;

  test('is answered by the rule that takes it', () => {
    const read = shopWith(rules);
    expect(read('{"type":"url_verification","challenge":"abc"}')).toEqual({
      kind: 'answer',
      answer: { status: 200, text: 'abc' },
    });
    expect(read('{"type":"ping"}')).toEqual({ kind: 'answer', answer: { status: 204, text: '' } });
    expect(read('{"type":"url_verification"}')).toMatchObject({ kind: 'unmatched' });
    expect(eventOf(read('{"id":1}')).idempotencyKey).toBe('pay:1');
  });

  test('may come without a body, and an event may not', () => {
    const reception = receptionWith(rules);
    const ask = (query: Record<string, string>) => answerWebhook(webhookOf('{}', { query }), reception);
    expect(ask({ 'hub.mode': 'subscribe', 'hub.challenge': '42' })).toEqual({ status: 202, text: '42' });
    expect(ask({ 'hub.mode': 'other' })).toBeUndefined();
  });

  test('without a credential is answered where the contract says so', () => {
    const auth =
      ', unsigned: [{ when: { /webhook_id: { exists: true }, header/x-sig: { exists: false } }, answer: { status: 200 } }]';
    const { unsigned } = receptionWith(PAYMENT, '', auth).source.ingest ?? { unsigned: [] };
    const ask = (text: string, beside?: Beside) => answerUnsigned(webhookOf(text, beside), unsigned);
    expect(ask('{"webhook_id":"1"}')).toEqual({ status: 200, text: '' });
    expect(ask('{"webhook_id":"1"}', { headers: { 'x-sig': 'x' } })).toBeUndefined();
    expect(ask('{}')).toBeUndefined();
  });
});
