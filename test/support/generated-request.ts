import { SHOP_SECRETS } from './shop-contract.js';

/** Below `limit`, from 0; see `randomFrom`. */
type Random = (limit: number) => number;

export interface GeneratedRequest {
  /** As it goes over the wire. */
  readonly bytes: Buffer;
  /** Whether what follows on the same connection could be misread because of it. */
  readonly spoilsConnection: boolean;
}

/** A valid, a slightly wrong or a hostile request to one of the three routes of the door; the same for the same seed. */
export function generateRequest(random: Random): GeneratedRequest {
  const route = one(random, ROUTES);
  const wrongness = random(10);
  const isMutated = wrongness >= 4;
  const isHostile = wrongness >= 8;
  let body: Buffer = Buffer.from(text(random, route, isMutated));
  if (isMutated && chance(random, 3)) body = mutateBytes(random, body);
  if (isHostile && chance(random, 3)) body = Buffer.from(one(random, HOSTILE_BODIES)(random));
  const headers = [...authentic(random, isMutated), ...mediaType(random, route, isMutated)];
  if (isMutated) {
    for (let more = random(4); more > 0; more--) headers.push(...one(random, ODD_HEADERS)(random));
  }
  const method = isHostile && chance(random, 8) ? one(random, METHODS) : 'POST';
  const path = isHostile && chance(random, 4) ? one(random, ODD_PATHS) : pathOf(random, route);
  return framed(random, { method, path, headers, body }, isHostile);
}

const ROUTES = ['single', 'batch', 'webhook', 'single', 'cloud'] as const;
type Route = (typeof ROUTES)[number];

const METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'] as const;
const ODD_PATHS = [
  '/v1/events/',
  '/v1/events?x=%00',
  '/v1/events/batch?',
  '/v1/events/%2e%2e/batch',
  '/v1/events/%zz',
  '//v1/events',
  'http://elsewhere.example/v1/events',
  '/v1/webhooks/',
  '/v1/webhooks/nobody',
  '/v1/webhooks/erp',
  '/v1/webhooks/%00',
  '/v1/webhooks/%ff',
  '/v1/webhooks/crm%2fx',
  `/v1/webhooks/${'x'.repeat(4_000)}`,
  '/v1/webhooks/__proto__',
  '/v1/webhooks/constructor',
] as const;

function pathOf(random: Random, route: Route): string {
  if (route === 'batch') return '/v1/events/batch';
  if (route === 'webhook') return '/v1/webhooks/crm';
  return chance(random, 10) ? '/v1/events?' : '/v1/events';
}

function text(random: Random, route: Route, isMutated: boolean): string {
  const item = (): string => mutateText(random, JSON.stringify(mutateParts(random, parts(), isMutated)), isMutated);
  const parts = (): Parts =>
    route === 'webhook' ? webhook(random) : route === 'cloud' ? cloudEvent(random) : envelope(random);
  if (route !== 'batch') return item();
  const items = Array.from({ length: random(6) + (isMutated ? 0 : 1) }, item);
  if (items.length > 1 && chance(random, 4)) items.push(items[0] ?? '');
  return `[${items.join(',')}]`;
}

type Parts = Record<string, unknown>;

/** Few enough ids that copies, conflicts and late versions come up by themselves. */
function envelope(random: Random): Parts {
  const id = random(4_000);
  if (chance(random, 3)) {
    return {
      idempotency_key: `customer:${id % 40}:v${id}`,
      event_type: 'customer.updated',
      entity: { type: 'customer', external_id: chance(random, 2) ? id % 40 : ` ${id % 40}` },
      version: chance(random, 2) ? id : String(id),
      payload: { name: `of ${random(3)}`, amount: 100.5 },
    };
  }
  const key = random(50_000);
  return {
    idempotency_key: `payment:${key}`,
    event_type: 'payment.completed',
    entity: { type: 'payment', external_id: `P-${key}` },
    occurred_at: '2025-01-01T12:00:00.000+08:00',
    payload: { amount: (key % 100) + (chance(random, 9) ? 1 : 0), list: [1, 'zwei', null, { drei: [true] }] },
    ...(chance(random, 5) ? { correlation_id: `process-${id}` } : {}),
  };
}

function cloudEvent(random: Random): Parts {
  const id = random(50_000);
  return {
    specversion: '1.0',
    id: String(random(1_000_000)),
    source: '/fuzz',
    type: 'payment.completed',
    subject: `P-${id}`,
    idempotencykey: `payment:${id}`,
    data: { amount: id % 100 },
  };
}

function webhook(random: Random): Parts {
  const id = random(4_000);
  return { event_type: 'customer.updated', customer_id: `W-${id % 40}`, version: id, note: 'x'.repeat(random(20)) };
}

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\ufeff',
  'e\u0301',
  "'; DROP TABLE events; --",
  '{{constructor}}',
  '%3A:%',
  'x'.repeat(256),
  'k'.repeat(2_049),
  0,
  -0,
  -1,
  1.5,
  1e21,
  1e308,
  9007199254740993,
  '9'.repeat(38),
  '9'.repeat(39),
  '2999-01-01T00:00:00Z',
  '2025-02-30T00:00:00Z',
  '0000-00-00',
  [],
  {},
  [[[[]]]],
  { ['__proto__']: 1 },
  { 'a\u0000': 1 },
  { $gt: '' },
];

function mutateParts(random: Random, parts: Parts, isMutated: boolean): Parts {
  if (!isMutated || chance(random, 3)) return parts;
  const names = Object.keys(parts);
  const name = one(random, names);
  switch (random(5)) {
    case 0:
      return Object.fromEntries(Object.entries(parts).filter(([kept]) => kept !== name));
    case 1:
      return {
        ...parts,
        [one(random, ['extra', '__proto__', 'toString', '', 'retry', 'links'])]: one(random, HOSTILE_VALUES),
      };
    case 2:
      return {
        ...parts,
        entity: {
          ...(parts['entity'] as object),
          [one(random, ['type', 'external_id', 'system', 'x'])]: one(random, HOSTILE_VALUES),
        },
      };
    case 3:
      return {
        ...parts,
        payload: { value: one(random, HOSTILE_VALUES), [`n${random(9)}`]: one(random, HOSTILE_VALUES) },
      };
    default:
      return { ...parts, [name]: one(random, HOSTILE_VALUES) };
  }
}

/** What cannot be said with a parsed value: names twice, numbers of any length, text that breaks off. */
function mutateText(random: Random, json: string, isMutated: boolean): string {
  if (!isMutated || chance(random, 2)) return json;
  switch (random(9)) {
    case 0:
      return json.replace('{', '{"payload":{"a":1},');
    case 1:
      return json.replace(/\d+/, '1'.repeat(1 + random(500)));
    case 2:
      return json.replace(/:\d+/, `:1e${random(999_999)}`);
    case 3:
      return json.slice(0, random(json.length));
    case 4:
      return `${json}${one(random, [' ', '\n', 'x', '}', '\u0000', json])}`;
    case 5:
      return json.replace(/:\d+/, `:${'['.repeat(random(300))}${']'.repeat(random(300))}`);
    case 6:
      return json.replace(/:\d+/, `:${'{"a":'.repeat(120)}1${'}'.repeat(120)}`);
    case 7:
      return json.replace(/"([a-z])/, (_, letter: string) => `"\\u00${letter.charCodeAt(0).toString(16)}`);
    default:
      return json.replace(/:"/, one(random, [':"\\ud83d', ':"\\udc00', ':"\\u0000', ':"\t', ':"\\x', ':"é']));
  }
}

function mutateBytes(random: Random, body: Buffer): Buffer {
  const bytes = Buffer.from(body);
  for (let more = random(4); more >= 0; more--) bytes[random(bytes.length || 1)] = random(256);
  if (chance(random, 4)) return bytes.subarray(0, random(bytes.length + 1));
  return chance(random, 6) ? Buffer.concat([Buffer.from('\uFEFF'), bytes]) : bytes;
}

const HOSTILE_BODIES: readonly ((random: Random) => string)[] = [
  () => '',
  () => ' '.repeat(5_000),
  () => '['.repeat(20_000),
  () => '{"a":'.repeat(20_000),
  (random) => `[${'0,'.repeat(random(20_000))}0]`,
  (random) => `[${'{},'.repeat(random(1_100))}{}]`,
  (random) => `{${Array.from({ length: random(5_000) }, (_, at) => `"k${at}":${at}`).join()}}`,
  (random) => `{"payload":"${'x'.repeat(chance(random, 20) ? 1_048_576 : 9_000)}"}`,
  () => `-${'9'.repeat(50_000)}`,
  () => '"\\u0000\\ud800"',
  () => 'null',
];

type Header = readonly [name: string, value: string];

function authentic(random: Random, isMutated: boolean): Header[] {
  const key: Header = ['X-Api-Key', SHOP_SECRETS.CRM_API_KEY];
  if (!isMutated || random(8) > 0) return [key];
  return one<readonly Header[]>(random, [
    [],
    [key, key],
    [['X-Api-Key', 'wrong']],
    [['X-Api-Key', '']],
    [['Authorization', `Bearer ${SHOP_SECRETS.ADMIN_KEY}`]],
    [['Authorization', 'Basic ====']],
    [key, ['Authorization', 'Bearer \u00ff']],
    [
      ['X-Crosswalk-Source', 'crm'],
      ['webhook-id', '1'],
      ['webhook-timestamp', 'x'],
      ['webhook-signature', 'v1,'],
    ],
    [['X-Crosswalk-Source', '__proto__']],
  ]).slice();
}

function mediaType(random: Random, route: Route, isMutated: boolean): Header[] {
  if (isMutated && chance(random, 3)) return [['Content-Type', one(random, CONTENT_TYPES)]];
  return [['Content-Type', route === 'cloud' ? 'application/cloudevents+json' : 'application/json']];
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=UTF-16',
  'application/json; charset',
  'application/json;;;=',
  'application/cloudevents+json',
  'application/cloudevents-batch+json',
  'application/cloudevents',
  'application/vnd.x+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
  'text/plain',
  'json',
  '/',
  '',
  'application/json\u00ff',
  'a'.repeat(2_000),
] as const;

const pick =
  (name: string, ...values: readonly string[]) =>
  (random: Random): Header[] => [[name, one(random, values)]];

const ODD_HEADERS: readonly ((random: Random) => readonly Header[])[] = [
  pick('Content-Encoding', 'identity', 'gzip', 'br', 'gzip, gzip', '', 'x'.repeat(300)),
  pick('Prefer', 'wait=1', 'wait=1, wait=30', 'wait', 'wait=x', 'wait="1', ',,,', '"'.repeat(900), 'respond-async'),
  pick(
    'Idempotency-Key',
    'payment:1',
    '',
    ' ',
    'k'.repeat(2_049),
    'caf\u00e9',
    '\u00c3\u00a9',
    'e\u00cc\u0081',
    '\u00ff',
  ),
  (random) => [
    ['Idempotency-Key', `a${random(9)}`],
    ['Idempotency-Key', 'b'],
  ],
  (random) => [
    ['ce-specversion', one(random, ['1.0', '0.3', ''])],
    ['ce-id', '1'],
    ['ce-source', '/x'],
    ['ce-type', one(random, ['payment.completed', 'customer.updated', '%', 'nothing'])],
    ['ce-subject', one(random, ['P-1', '%', '%ff', '%C3%A9', '', '%00', 'a'.repeat(300)])],
    ['ce-idempotencykey', `payment:${random(1_000)}`],
    ['ce-time', one(random, ['2025-01-01T00:00:00Z', 'now'])],
  ],
  (random) => [[`ce-${one(random, ['', 'ID', 'x_y', 'data', '__proto__', 'é'])}`.replace('é', 'e'), 'x']],
  pick('traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, '00-0-0-0', `ff-${'0'.repeat(32)}-x`, '\u00e9'),
  pick(
    'X-Correlation-Id',
    'ok-1',
    '',
    'a b',
    '"},{"level":"fatal"',
    'a%0d%0aX: 1',
    'x'.repeat(9_000),
    '\u00f0\u009f\u0098\u0080',
  ),
  () => [
    ['X-Correlation-Id', 'one'],
    ['X-Correlation-Id', 'two'],
  ],
  pick('Expect', '100-continue', 'the-unexpected'),
  pick('Accept', 'text/html', '*/*', 'application/xml'),
  pick('Connection', 'close', 'keep-alive', 'Upgrade', 'x'),
  () => [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
  ],
  pick('X-Forwarded-For', '::1', 'x'.repeat(1_000)),
  pick('Content-Type', 'application/json', 'text/plain'),
  (random) => Array.from({ length: random(200) }, (_, at): Header => [`X-Many-${at}`, 'x']),
  (random) => [['X-Long', 'x'.repeat(random(20_000))]],
];

interface Message {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

function framed(random: Random, message: Message, isHostile: boolean): GeneratedRequest {
  const { body } = message;
  if (isHostile && chance(random, 8)) return one(random, BROKEN_FRAMES)(message);
  if (!chance(random, 4)) {
    return { bytes: written(message, [['Content-Length', String(body.length)]], body), spoilsConnection: false };
  }
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const chunk = body.subarray(at, at + 1 + random(body.length));
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
    at += chunk.length;
  }
  chunks.push(Buffer.from('0\r\n\r\n'));
  return {
    bytes: written(message, [['Transfer-Encoding', 'chunked']], Buffer.concat(chunks)),
    spoilsConnection: false,
  };
}

/** Requests that are wrong as HTTP itself. */
const BROKEN_FRAMES: readonly ((message: Message) => GeneratedRequest)[] = [
  (message) => spoiling(message, [['Content-Length', '99999999999']]),
  (message) => spoiling(message, [['Content-Length', '-1']]),
  (message) => spoiling(message, [['Content-Length', '1e3']]),
  (message) =>
    spoiling(message, [
      ['Content-Length', '5'],
      ['Content-Length', '6'],
    ]),
  (message) =>
    spoiling(message, [
      ['Content-Length', '5'],
      ['Transfer-Encoding', 'chunked'],
    ]),
  (message) => spoiling(message, [['Transfer-Encoding', 'gzip']]),
  (message) => spoiling({ ...message, body: Buffer.from('zz\r\nx\r\n0\r\n\r\n') }, [['Transfer-Encoding', 'chunked']]),
  (message) => spoiling(message, [['Content-Length', String(Math.floor(message.body.length / 2))]]),
  (message) => spoiling(message, [['X-Line', 'a\nb']]),
  (message) => spoiling(message, [['X-Line', 'a\u0000b']]),
  (message) => spoiling(message, [['X Line', 'a']]),
  (message) => spoiling({ ...message, path: '/v1/events with blanks' }, []),
  (message) => spoiling({ ...message, path: '/v1/events\u00ff' }, [['Content-Length', String(message.body.length)]]),
  (message) => spoiling({ ...message, method: 'GRAB' }, []),
];

function spoiling(message: Message, framing: readonly Header[]): GeneratedRequest {
  return { bytes: written(message, framing, message.body), spoilsConnection: true };
}

function written({ method, path, headers }: Message, framing: readonly Header[], body: Buffer): Buffer {
  const lines = [['Host', '127.0.0.1'], ...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body]);
}

function one<Value>(random: Random, values: readonly Value[]): Value {
  return values[random(values.length)] as Value;
}

function chance(random: Random, oneIn: number): boolean {
  return random(oneIn) === 0;
}
