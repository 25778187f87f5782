import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonDocument } from '../../../test/support/arbitrary-json.js';
import { named } from '../../../test/support/contract-from.js';
import { refusalOf, type Refusal } from '../../../test/support/refusal.js';
import { spineContract } from '../../../test/support/spine-contract.js';
import type { ReceivedEvent } from '../event.js';
import { readJson } from '../json/read-json.js';
import type { Reception } from './complete-event.js';
import { readBinaryCloudEvent, readStructuredCloudEvent } from './read-cloud-event.js';
import { readEnvelope } from './read-envelope.js';

const TRACE_OF_REQUEST = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TRACE_OF_EVENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const DATA = '{ "full_name" : "Ada", "n": 1.00, "data": { "id": 9007199254740993 } }';

const contract = spineContract();
const reception: Reception = {
  contract,
  source: named(contract.systems, 'crm'),
  correlationId: 'ours',
  traceparent: TRACE_OF_REQUEST,
  nowMicros: BigInt(Date.UTC(2025, 0, 1, 12)) * 1000n,
};

/** Attributes with their values as JSON text; undefined leaves one out. */
type Attributes = Readonly<Record<string, string | undefined>>;

function attributesWith(changes: Attributes = {}): Attributes {
  return {
    specversion: '"1.0"',
    id: '"7f3a"',
    source: '"/crm"',
    type: '"customer.updated"',
    subject: '"C-1"',
    idempotencykey: '"customer:C-1:v17"',
    entityversion: '17',
    ...changes,
  };
}

function readStructured(attributes: Attributes, data = DATA, headerKey?: string): ReceivedEvent {
  return readStructuredText(structuredText(attributes, data), headerKey);
}

function structuredText(attributes: Attributes, data: string | undefined): string {
  const members = [...Object.entries(attributes), ['data', data] as const];
  return `{${members.flatMap(([name, text]) => (text === undefined ? [] : `${JSON.stringify(name)}:${text}`)).join(',')}}`;
}

function readStructuredText(text: string, headerKey?: string): ReceivedEvent {
  const { value: event, sources: dataSources } = readJson(text, 'data');
  return readStructuredCloudEvent({ event, dataSources, headerKey }, reception);
}

type Headers = Readonly<Record<string, readonly string[] | undefined>>;

function readBinary(headers: Headers, dataText = DATA, headerKey?: string): ReceivedEvent {
  const data = dataText === '' ? undefined : readJson(dataText).value;
  return readBinaryCloudEvent({ headers, data, dataText, headerKey }, reception);
}

/** The headers of an event with some replaced. */
function headersWith(changes: Headers = {}): Headers {
  return {
    'content-type': ['application/json'],
    'ce-specversion': ['1.0'],
    'ce-id': ['7f3a'],
    'ce-source': ['/crm'],
    'ce-type': ['customer.updated'],
    'ce-subject': ['C-1'],
    'ce-idempotencykey': ['customer:C-1:v17'],
    'ce-entityversion': ['17'],
    ...changes,
  };
}

describe('a CloudEvent', () => {
  test('is the event that an envelope with the same parts is, and its data is kept as it was written', () => {
    const { value: envelope, sources: payloadSources } = readJson(
      `{"idempotency_key":"customer:C-1:v17","event_type":"customer.updated","version":17,
        "entity":{"type":"customer","external_id":"C-1"},"payload":${DATA}}`,
      'payload',
    );
    const event = readEnvelope({ envelope, payloadSources, headerKey: undefined }, reception);
    expect(readStructured(attributesWith())).toEqual(event);
    expect(readBinary(headersWith())).toEqual(event);
    expect(readBinary(headersWith(), ` ${DATA}\n`)).toEqual(event);
    expect(event.payload).toBe(DATA);
  });

  test('may say when it happened, which process it belongs to and whose id it names', () => {
    const more = { time: '"2025-01-01T19:00:00+08:00"', correlationid: '"process-7"', entitysystem: '"erp"' };
    expect(readStructured(attributesWith(more))).toMatchObject({
      occurredAtMicros: BigInt(Date.UTC(2025, 0, 1, 11)) * 1000n,
      correlationId: 'process-7',
      entity: { system: 'erp', type: 'customer', externalId: 'C-1' },
    });
  });

  test('names the entity type where the contract leaves it open', () => {
    const open = attributesWith({ type: '"entity.updated"' });
    expect(refusalOf(() => readStructured(open))).toEqual({ code: 'envelope.invalid', at: '/entitytype' });
    expect(readStructured({ ...open, entitytype: '"customer"' }).entity.type).toBe('customer');
  });

  test('carries its trace on before that of the request', () => {
    expect(readStructured(attributesWith()).traceparent).toBe(TRACE_OF_REQUEST);
    expect(readStructured(attributesWith({ traceparent: `"${TRACE_OF_EVENT}"` })).traceparent).toBe(TRACE_OF_EVENT);
    expect(readStructured(attributesWith({ traceparent: '"junk"' })).traceparent).toBe(TRACE_OF_REQUEST);
  });

  test('may carry what others say to each other, and null for what it does not say', () => {
    const foreign = { tracestate: '"a=b"', knativearrivaltime: '"x"', sequence: '"0001"', dataschema: '"urn:x"' };
    const unsaid = { time: 'null', links: 'null', data_base64: 'null', datacontenttype: 'null', correlationid: 'null' };
    expect(readStructured(attributesWith({ ...foreign, ...unsaid }))).toEqual(readStructured(attributesWith()));
  });

  test('with an id of its own for each emission is the same fact', () => {
    const again = readStructured(attributesWith({ id: '"another"', source: '"urn:elsewhere"' }));
    expect(again).toEqual(readStructured(attributesWith()));
  });

  test('takes its key from the header, from within, or from both if they agree', () => {
    const keyless = attributesWith({ idempotencykey: undefined });
    expect(readStructured(keyless, DATA, 'k').idempotencyKey).toBe('k');
    expect(readStructured(attributesWith({ idempotencykey: '"k"' }), DATA, 'k').idempotencyKey).toBe('k');
    expect(refusalOf(() => readStructured(attributesWith(), DATA, 'k'))).toEqual({
      code: 'key.invalid',
      at: '/idempotencykey',
    });
  });

  test.each(['application/json; charset=utf-8', 'application/vnd.shop.order+json', 'TEXT/JSON'])(
    'may say that its data is %s',
    (mediaType) => {
      expect(readStructured(attributesWith({ datacontenttype: `"${mediaType}"` })).payload).toBe(DATA);
    },
  );
});

describe('a CloudEvent is refused', () => {
  test.each<[string, Attributes, string, string]>([
    ['of another version', { specversion: '"0.3"' }, 'envelope.invalid', '/specversion'],
    ['without a version', { specversion: undefined }, 'envelope.invalid', '/specversion'],
    ['without an id', { id: undefined }, 'envelope.invalid', '/id'],
    ['with an empty id', { id: '""' }, 'envelope.invalid', '/id'],
    ['without a source', { source: undefined }, 'envelope.invalid', '/source'],
    ['without a type', { type: undefined }, 'envelope.invalid', '/type'],
    ['with a type that is no text', { type: '7' }, 'envelope.invalid', '/type'],
    ['of an unknown type', { type: '"x"' }, 'event_type.unknown', '/type'],
    ['without a key, whatever its id is', { idempotencykey: undefined }, 'key.missing', '/idempotencykey'],
    ['with an empty key', { idempotencykey: '""' }, 'key.invalid', '/idempotencykey'],
    ['without a subject', { subject: undefined }, 'id.invalid', '/subject'],
    ['with a subject that is no text', { subject: '7' }, 'id.invalid', '/subject'],
    ['with a subject of blanks', { subject: '" "' }, 'id.invalid', '/subject'],
    ['about another entity type', { entitytype: '"stock"' }, 'entity_type.mismatch', '/entitytype'],
    ['about an unknown entity type', { entitytype: '"x"' }, 'entity_type.unknown', '/entitytype'],
    ['with an unknown system', { entitysystem: '"x"' }, 'system.unknown', '/entitysystem'],
    ['without a version that it needs', { entityversion: undefined }, 'version.invalid', '/entityversion'],
    ['with a version that is none', { entityversion: 'true' }, 'version.invalid', '/entityversion'],
    ['with a fraction for a version', { entityversion: '17.0' }, 'version.invalid', '/entityversion'],
    ['without a time that it needs', { type: '"stock.counted"' }, 'occurred_at.invalid', '/time'],
    ['with a time that is none', { time: '"noon"' }, 'occurred_at.invalid', '/time'],
    ['with a time ahead', { time: '"2025-01-02T00:00:00Z"' }, 'occurred_at.in_future', '/time'],
    ['with data of another kind', { datacontenttype: '"text/plain"' }, 'envelope.invalid', '/datacontenttype'],
    ['with bytes for data', { data_base64: '"e30="' }, 'envelope.unsupported_part', '/data_base64'],
    ['with links', { links: '"erp:E-1"' }, 'envelope.unsupported_part', '/links'],
    ['with a passport', { retry: '"5"' }, 'envelope.unsupported_part', '/retry'],
    ['with a state that it expects', { expectedcurrentstate: '"PAID"' }, 'envelope.invalid', '/expectedcurrentstate'],
    ['with a name in capitals', { correlationId: '"x"' }, 'envelope.unknown_part', '/correlationId'],
    ['with a name of our envelope', { idempotency_key: '"k"' }, 'envelope.unknown_part', '/idempotency_key'],
    ['with a name that is a trap elsewhere', { ['__proto__']: '"x"' }, 'envelope.unknown_part', '/__proto__'],
  ])('%s', (_what, changes, code, at) => {
    expect(refusalOf(() => readStructured(attributesWith(changes)))).toEqual({ code, at });
  });

  test.each(['[]', 'null', '"x"'])('when its data is %s', (data) => {
    const refusal = { code: 'envelope.invalid', at: '/data' };
    expect(refusalOf(() => readStructured(attributesWith(), data))).toEqual(refusal);
    expect(refusalOf(() => readBinary(headersWith(), data))).toEqual(refusal);
  });

  test('when it has no data', () => {
    const refusal = { code: 'envelope.invalid', at: '/data' };
    expect(refusalOf(() => readBinary(headersWith(), ''))).toEqual(refusal);
    expect(refusalOf(() => readStructuredText(structuredText(attributesWith(), undefined)))).toEqual(refusal);
  });

  test.each(['[]', 'null', '"x"', '7'])('when it is %s', (text) => {
    expect(refusalOf(() => readStructuredText(text))).toEqual({ code: 'envelope.invalid', at: '' });
  });

  test('with what to do about a missing key', () => {
    expect(() => readStructured(attributesWith({ idempotencykey: undefined }))).toThrow(
      /idempotencykey.*`id` is no such/,
    );
  });
});

describe('an attribute in a header', () => {
  // Examples of the HTTP binding §3.1.3.2 among them.
  test.each([
    ['Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['%e2%82%ac', '€'],
    ['%43-1', 'C-1'],
    ['C%2D1', 'C-1'],
    ['50%25', '50%'],
    ['%2541', '%41'],
    ['"Euro \\"€\\" \\\\"', 'Euro "€" \\'],
    ['"%22"', '"'],
    ['"open', '"open'],
    ['say "x" twice', 'say "x" twice'],
  ])('%j is read as %j', (line, subject) => {
    const bytes = Buffer.from(line).toString('latin1');
    expect(readBinary(headersWith({ 'ce-subject': [bytes] })).entity.rawExternalId).toBe(subject);
  });

  test.each<[string, readonly string[]]>([
    ['an overlong sequence', ['%C0%A0']],
    ['a sequence that is cut off', ['%E2%82']],
    ['half a surrogate pair', ['%ED%A0%80']],
    ['bytes that are no UTF-8', ['\u00e9']],
    ['a percent sign that encodes nothing', ['50%']],
    ['a percent sign before no digits', ['%zz']],
    ['two lines', ['C-1', 'C-2']],
  ])('is refused with %s', (_what, lines) => {
    const act = (): unknown => readBinary(headersWith({ 'ce-subject': lines }));
    expect(refusalOf(act)).toEqual({ code: 'envelope.invalid', at: '/subject' });
  });

  test.each(['ce-data', 'ce-idempotency-key', 'ce-'])('is refused as %s', (header) => {
    const act = (): unknown => readBinary(headersWith({ [header]: ['x'] }));
    expect(refusalOf(act)).toEqual({ code: 'envelope.unknown_part', at: `/${header.slice(3)}` });
  });
});

describe('both modes', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('"', '%41', '" "', '\\', 'customer', 'C-1', 'é', '2025-01-01T12:00:00Z', '007', '\u0000'),
  );
  const oneOf = (...usual: readonly string[]): fc.Arbitrary<string | undefined> =>
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...usual) }, text, fc.constant(undefined));
  const event = fc.record({
    attributes: fc.record({
      specversion: fc.oneof({ weight: 20, arbitrary: fc.constant('1.0') }, text),
      id: oneOf('1'),
      source: oneOf('/crm'),
      type: oneOf('customer.updated', 'customer.noted', 'stock.counted', 'entity.updated'),
      subject: oneOf('C-1', ' C-1', 'Ä 1%'),
      idempotencykey: oneOf('k', 'customer:C%3A1:v1', 'Zoë'),
      entitytype: oneOf('customer', 'stock'),
      entitysystem: oneOf('erp', 'wms'),
      entityversion: oneOf('17', '017', '99999999999999999999'),
      time: oneOf('2025-01-01T11:59:59.123456+00:00'),
      correlationid: oneOf('process-7'),
      traceparent: oneOf(TRACE_OF_EVENT),
      myextension: oneOf('x'),
    }),
    data: fc.oneof(
      { weight: 1, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: jsonDocument.map((document) => document.text) },
      { weight: 6, arbitrary: jsonDocument.map((document) => `{"a":${document.text},"data":{"n":1.00}}`) },
    ),
  });

  test('read any event alike, or refuse it with the same code at the same place', () => {
    let events = 0;
    fc.assert(
      fc.property(event, ({ attributes, data }) => {
        const said = Object.entries(attributes).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        );
        const spelt = Object.fromEntries(said.map(([name, value]) => [name, JSON.stringify(value)]));
        const structured = outcomeOf(() => readStructuredText(structuredText(spelt, data)));
        const headers = said.map(([name, value]): [string, string[]] => [`ce-${name}`, [encoded(value)]]);
        const binary = outcomeOf(() => readBinary(Object.fromEntries(headers), data ?? ''));
        expect(binary).toEqual(structured);
        if (structured.kind === 'event') events++;
      }),
      { numRuns: 500 },
    );
    expect(events).toBeGreaterThan(20);
  });

  type Outcome =
    { readonly kind: 'event'; readonly event: ReceivedEvent } | { readonly kind: 'refused'; readonly refusal: Refusal };

  function outcomeOf(read: () => ReceivedEvent): Outcome {
    const events: ReceivedEvent[] = [];
    const refusal = refusalOf(() => events.push(read()));
    const [event] = events;
    if (event !== undefined) return { kind: 'event', event };
    if (refusal !== undefined) return { kind: 'refused', refusal };
    throw new Error('A reading ends in an event or in a refusal.');
  }

  /** As §3.1.3.2 of the HTTP binding writes a value. */
  function encoded(value: string): string {
    return Array.from(value, (character) =>
      /[\x21-\x7e]/.test(character) && !/["%]/.test(character)
        ? character
        : [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    ).join('');
  }
});
