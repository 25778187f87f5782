import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contractFrom, named } from '../../../test/support/contract-from.js';
import { newEventId, newInternalId, type InternalId } from '../../domain/ids.js';
import { isJsonObject } from '../../domain/json/json.js';
import { readJson } from '../../domain/json/read-json.js';
import { writeJson } from '../../domain/json/write-json.js';
import { parseReferences, writeReferences } from '../../domain/record-references.js';
import { readReferences } from '../../domain/references.js';
import type { HeldEntity, HeldRecord } from '../entities/held-entities.js';
import { decideEvent } from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';

const REFERENCES = `references:
      /customer: { type: customer, missing: create, none: [0, null, absent] }
      /buyer/id: { type: customer, missing: create, none: [absent] }
      /lines/*/stock: { type: stock, missing: create, none: [absent] }`;
const contract = contractFrom(`
systems:
  crm: { ingest: { auth: { scheme: api-key, secrets: ['\${CRM_KEY}'] } } }
  erp: { ingest: { auth: { scheme: api-key, secrets: ['\${ERP_KEY}'] }, fields: { order: { who: /buyer, lines: /lines } } } }
entities: { order: { order_by: version }, customer: { order_by: version }, stock: { order_by: version } }
events:
  whole:
    entity: order
    strategy: overwrite
    ${REFERENCES}
  merged:
    entity: order
    strategy: merge
    ${REFERENCES}
  patched:
    entity: order
    strategy: ignore
    ${REFERENCES}
  seen:
    entity: order
    strategy: ignore
    apply: none
    ${REFERENCES}
  deleted: { entity: order, strategy: overwrite, operation: delete }
  plain: { entity: order, strategy: merge }
`);
const rules = named(contract.eventTypes, 'whole').references;
const crm = named(contract.systems, 'crm');

interface Step {
  readonly type: string;
  readonly version?: number | undefined;
  readonly key: string;
  readonly payload: string;
  readonly source?: string;
}

const ids = new Map<string, InternalId>();
function idOf(name: string): InternalId {
  const id = ids.get(name) ?? newInternalId(ids.size);
  ids.set(name, id);
  return id;
}

function namedIn(payloadText: string, of: typeof rules) {
  const { value } = readJson(payloadText);
  if (!isJsonObject(value)) throw new Error('The test gave no object.');
  return new Map(
    readReferences(value, of, crm).map(({ rule, found }) => [
      rule.path.source,
      found.map(({ path, entity: { type: entityType, externalId } }) => ({
        path,
        entityType,
        internalId: idOf(`${entityType} ${externalId}`),
      })),
    ]),
  );
}

/** The record after the events in this order; the inbox knows copies by their key and event type. */
function recordAfter(...steps: readonly Step[]): HeldRecord | undefined {
  const entity: HeldEntity = {
    ...{ internalId: newInternalId(0), entityType: 'order', revision: 0n, data: new Map(), records: new Map() },
    ...{ isDeleted: false, isChanged: false, path: undefined },
  };
  const seen = new Set<string>();
  for (const step of steps) {
    const id = `${step.key} ${step.type}`;
    if (!seen.has(id)) decide(step, entity);
    seen.add(id);
  }
  return [...entity.records.values()][0];
}

function decide({ type, version, key, payload: payloadText, source = 'crm' }: Step, entity: HeldEntity): void {
  const { value: payload } = readJson(payloadText);
  if (!isJsonObject(payload)) throw new Error('The test gave no object.');
  const event: EventToProcess = {
    ...{
      claim: {
        key,
        topic: source,
        internalId: undefined,
        fence: 1n,
        retryCount: 0,
        retryIntervalMs: 0,
        rejectReason: undefined,
        takeOvers: 0,
        claimedAt: '',
      },
    },
    ...{
      eventId: newEventId(0),
      source,
      eventType: type,
      idempotencyKey: key,
      links: undefined,
      state: undefined,
      expectedState: undefined,
    },
    entity: { system: 'crm', type: 'order', externalId: 'R', rawExternalId: 'R' },
    version: version === undefined ? undefined : String(version),
    ...{ occurredAtMicros: undefined, correlationId: 'p', conflictsWith: undefined, payload, payloadText, retry: null },
    ...{ receivedAt: '', claimedAt: '' },
  };
  decideEvent({ event, named: namedIn(payloadText, named(contract.eventTypes, type).references) }, entity, contract);
}

/** Who is referred to where, as it comes back from storage. */
function shown(record: HeldRecord | undefined): readonly string[] {
  const kept = record === undefined ? [] : [...parseReferences(writeReferences(record.references)).values()];
  return kept.flatMap(({ references }) => references.map(({ path, internalId }) => `${path} ${internalId}`)).sort();
}

/** Who would be referred to if the record's data were what its source had sent. */
function inData(record: HeldRecord | undefined): readonly string[] {
  if (record === undefined) return [];
  return [...namedIn(writeJson(record.data), rules).values()]
    .flatMap((found) => found.map(({ path, internalId }) => `${path} ${internalId}`))
    .sort();
}

const at = (path: string, name: string): string => `${path} ${idOf(name)}`;
const step = (type: string, version: number | undefined, payload: string, key = 'k'): Step => ({
  ...{ type, version, payload, key },
});

describe('the references of a record', () => {
  test.each<[string, Step[], string[]]>([
    [
      'of two event types with one key and one version are those that the data shows',
      [step('patched', 2, '{"customer":1}'), step('merged', 2, '{"customer":2}')],
      [at('/customer', 'customer 1')],
    ],
    [
      'end where a patch empties a list',
      [step('whole', 1, '{"lines":[{"stock":1}]}'), step('merged', 2, '{"lines":[]}')],
      [],
    ],
    ['end where a patch says null', [step('whole', 1, '{"customer":1}'), step('merged', 2, '{"customer":null}')], []],
    [
      'end where a patch says null above their place',
      [step('whole', 1, '{"buyer":{"id":1}}'), step('merged', 2, '{"buyer":null}')],
      [],
    ],
    [
      'stay where a merge patch writes beside their place',
      [step('whole', 1, '{"buyer":{"id":1}}'), step('merged', 2, '{"buyer":{"name":"x"}}')],
      [at('/buyer/id', 'customer 1')],
    ],
    [
      'end where a patch replaces what is above their place',
      [step('whole', 1, '{"buyer":{"id":1}}'), step('patched', 2, '{"buyer":{"name":"x"}}')],
      [],
    ],
    ['end with the record', [step('whole', 1, '{"customer":1}'), step('deleted', 2, '{}')], []],
    ['do not come back by a late patch', [step('deleted', 2, '{}'), step('merged', 1, '{"customer":1}')], []],
    ['are not made by an event that only counts as seen', [step('seen', 1, '{"customer":1}')], []],
    [
      'end where a type without the rule writes their place',
      [step('whole', 1, '{"customer":1}'), step('plain', 2, '{"customer":2}')],
      [],
    ],
    [
      'end there also where that came first',
      [step('plain', 2, '{"customer":2}'), step('whole', 1, '{"customer":1}')],
      [],
    ],
    [
      'without order value are those of the last event',
      [step('merged', undefined, '{"customer":1}', 'a'), step('merged', undefined, '{"customer":2}', 'b')],
      [at('/customer', 'customer 2')],
    ],
    [
      'that no field keeps follow the payload, a late one included',
      [
        { ...step('merged', 2, '{"lines":[]}'), source: 'erp' },
        { ...step('merged', 1, '{"customer":1,"lines":[{"stock":1}]}', 'late'), source: 'erp' },
      ],
      [at('/customer', 'customer 1')],
    ],
    [
      'follow the field that keeps them under another name',
      [
        { ...step('whole', 1, '{"buyer":{"id":1}}'), source: 'erp' },
        { ...step('merged', 2, '{"buyer":{"name":"x"}}'), source: 'erp' },
      ],
      [at('/buyer/id', 'customer 1')],
    ],
  ])('%s', (_promise, steps, expected) => {
    expect(shown(recordAfter(...steps))).toEqual(expected);
  });

  test('are those of its data, in whatever order and however often events come', () => {
    fc.assert(
      fc.property(shuffled, ([steps, others]) => {
        const record = recordAfter(...steps);
        expect(shown(record)).toEqual(inData(record));
        expect(shown(recordAfter(...others))).toEqual(shown(record));
      }),
      { numRuns: 500 },
    );
  });
});

const id = fc.constantFrom(1, 2, 3);
const payload = fc
  .record(
    {
      customer: fc.oneof(id, fc.constantFrom(null, 0)),
      buyer: fc.oneof(fc.record({ id, name: fc.constant('x') }, { requiredKeys: [] }), fc.constant(null)),
      lines: fc.oneof(fc.array(fc.record({ stock: id }, { requiredKeys: [] }), { maxLength: 2 }), fc.constant(null)),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const version = fc.nat(6);
/** Whole records and deletes, no two of one version: that would be a question for a person. */
const wholes = fc.uniqueArray(
  fc.record({ type: fc.constantFrom('whole', 'deleted'), version, key: fc.constantFrom('a', 'b'), payload }),
  { selector: (each) => each.version, maxLength: 3 },
);
const patches = fc.array(
  fc.record({
    type: fc.constantFrom('merged', 'patched', 'seen'),
    version,
    key: fc.constantFrom('a', 'b', 'c'),
    payload,
  }),
  { maxLength: 5 },
);
const shuffled = fc
  .tuple(wholes, patches)
  .map((all) => [...new Map(all.flat().map((each) => [`${each.key} ${each.type}`, each])).values()])
  .filter(({ length }) => length > 0)
  .chain((all) => fc.tuple(fc.constant(all), copiesOf(all)));

function copiesOf(all: readonly Step[]): fc.Arbitrary<Step[]> {
  return fc.array(fc.constantFrom(...all), { maxLength: 4 }).chain((more) => {
    const everything = [...all, ...more];
    return fc.shuffledSubarray(everything, { minLength: everything.length });
  });
}
