import { describe, expect, test } from '@jest/globals';
import { named } from '../../../test/support/contract-from.js';
import { spineContract } from '../../../test/support/spine-contract.js';
import type { Contract, EventType } from '../../domain/contract/contract.js';
import { newEventId, newInternalId } from '../../domain/ids.js';
import { isJsonObject } from '../../domain/json/json.js';
import { readJson } from '../../domain/json/read-json.js';
import { writeJson } from '../../domain/json/write-json.js';
import type { HeldEntity } from '../entities/held-entities.js';
import { decideEvent, keyConflict, type Effect } from './decide-event.js';
import type { EventToProcess } from './event-to-process.js';

const contract = spineContract();

function event(payloadText: string, changes: Partial<EventToProcess> = {}): EventToProcess {
  const { value: payload } = readJson(payloadText);
  if (!isJsonObject(payload)) throw new Error('The test gave no object.');
  return {
    claim: {
      key: 'k',
      topic: 'crm',
      internalId: undefined,
      fence: 1n,
      retryCount: 0,
      retryIntervalMs: 0,
      rejectReason: undefined,
      takeOvers: 0,
      claimedAt: '',
    },
    eventId: newEventId(0),
    source: 'crm',
    eventType: 'customer.updated',
    idempotencyKey: 'k',
    entity: { system: 'crm', type: 'customer', externalId: 'C-1', rawExternalId: 'C-1' },
    links: undefined,
    version: '1',
    state: undefined,
    expectedState: undefined,
    occurredAtMicros: undefined,
    correlationId: 'p',
    conflictsWith: undefined,
    payload,
    payloadText,
    retry: null,
    receivedAt: '',
    claimedAt: '',
    ...changes,
  };
}

const newEntity = (): HeldEntity => ({
  internalId: newInternalId(0),
  entityType: 'customer',
  revision: 0n,
  data: new Map(),
  isDeleted: false,
  isChanged: false,
  path: undefined,
  records: new Map(),
});

/** Of events that name no other entities. */
function decide(told: EventToProcess, entity: HeldEntity, rules: Contract): Effect {
  const decided = decideEvent({ event: told, named: new Map() }, entity, rules);
  if (decided.kind === 'parked') throw new Error('It was parked.');
  return decided;
}

function decideAll(entity: HeldEntity, ...events: readonly EventToProcess[]): Effect[] {
  return events.map((each) => decide(each, entity, contract));
}

describe('an event that changes something', () => {
  test('raises the revision by one and names the targets', () => {
    const entity = newEntity();
    const [effect] = decideAll(entity, event('{"full_name":"Ada","contact":{"email":"a@x"},"more":1}'));
    expect(effect).toMatchObject({
      outcome: 'applied',
      entity: { internalId: entity.internalId, revision: 1n },
      deliverTo: ['erp'],
    });
    expect(writeJson(entity.data)).toBe('{"name":"Ada","email":"a@x"}');
    expect(entity.isChanged).toBe(true);
  });

  test('is not sent back to where it came from', () => {
    const entity = newEntity();
    const fromErp = { source: 'erp', entity: { system: 'erp', type: 'customer', externalId: 'E', rawExternalId: 'E' } };
    const [effect] = decideAll(entity, event('{"name":"Ada"}', fromErp));
    expect(effect).toMatchObject({ outcome: 'applied', deliverTo: [] });
  });

  test('keeps the records of two sources apart and composes both', () => {
    const entity = newEntity();
    const fromErp = { source: 'erp', entity: { system: 'erp', type: 'customer', externalId: 'E', rawExternalId: 'E' } };
    decideAll(entity, event('{"full_name":"Ada"}'), event('{"name":"ADA","email":"e@erp"}', fromErp));
    expect(entity.records.size).toBe(2);
    expect(writeJson(entity.data)).toBe('{"name":"Ada","email":"e@erp"}');
    expect(entity.revision).toBe(2n);
  });

  test('makes the entity, also when it says nothing of it', () => {
    const entity = newEntity();
    const [effect] = decideAll(entity, event('{"x":1}', { eventType: 'customer.seen' }));
    expect(effect).toMatchObject({ outcome: 'applied', entity: { revision: 1n } });
    expect(entity.data.size).toBe(0);
  });
});

describe('the revision stays where it is', () => {
  test.each([
    ['a newer version says the same', '{"full_name":"Ada"}', { version: '2' }],
    ['only a part that is no field changes', '{"full_name":"Ada","clicks":7}', { version: '2' }],
    ['the same comes as a patch', '{"full_name":"Ada"}', { version: '2', eventType: 'customer.noted' }],
    ['an event only counts as seen', '{"full_name":"Bea"}', { version: '2', eventType: 'customer.seen' }],
    ['the same version says the same', '{"full_name":"Ada"}', { version: '1' }],
  ])('when %s', (_what, payload, changes) => {
    const entity = newEntity();
    const [, effect] = decideAll(entity, event('{"full_name":"Ada"}'), event(payload, changes));
    expect(effect).toMatchObject({ outcome: 'unchanged', code: 'content.unchanged', deliverTo: [] });
    expect(effect?.entity?.revision).toBe(1n);
    expect(entity.revision).toBe(1n);
  });

  test('when a number is printed with another scale, and the record takes the newer version all the same', () => {
    const entity = newEntity();
    decideAll(entity, event('{"full_name":100}'), event('{"full_name":100.00}', { version: '5' }));
    expect(entity.revision).toBe(1n);
    expect([...entity.records.values()][0]?.orderValue).toBe(5n);
  });

  test('when a source that owns no field speaks', () => {
    const entity = newEntity();
    const fromWms = { source: 'wms', entity: { system: 'wms', type: 'customer', externalId: 'W', rawExternalId: 'W' } };
    const [, effect] = decideAll(entity, event('{"full_name":"Ada"}'), event('{"name":"x","fax":"1"}', fromWms));
    expect(effect?.outcome).toBe('unchanged');
    expect(entity.records.size).toBe(2);
  });

  test('when the event is late', () => {
    const entity = newEntity();
    const [, effect] = decideAll(
      entity,
      event('{"full_name":"Ada"}', { version: '10' }),
      event('{"full_name":"Bea"}', { version: '9' }),
    );
    expect(effect).toMatchObject({ outcome: 'stale', code: 'version.stale', deliverTo: [] });
    expect(writeJson(entity.data)).toBe('{"name":"Ada"}');
  });
});

describe('one version with two contents', () => {
  const first = event('{"full_name":"Ada"}');
  const second = event('{"full_name":"Bea"}', { idempotencyKey: 'k2' });

  test('is put before a person with both candidates and changes nothing', () => {
    const entity = newEntity();
    const [, effect] = decideAll(entity, first, second);
    expect(effect).toMatchObject({
      outcome: 'conflict',
      code: 'version.conflict',
      deliverTo: [],
      conflict: {
        kind: 'version',
        internalId: entity.internalId,
        eventId: second.eventId,
        candidates: [
          { event_id: first.eventId, role: 'kept' },
          { event_id: second.eventId, role: 'set_aside', order_value: '1' },
        ],
      },
    });
    expect(writeJson(entity.data)).toBe('{"name":"Ada"}');
    expect([...entity.records.values()][0]?.lastEventId).toBe(first.eventId);
  });

  test('has one subject for each content, so that a repetition asks nobody again', () => {
    const entity = newEntity();
    const third = event('{"full_name":"Bea"}', { idempotencyKey: 'k3' });
    const fourth = event('{"full_name":"Cleo"}', { idempotencyKey: 'k4' });
    const [, ...effects] = decideAll(entity, first, second, third, fourth);
    const [a, b, c] = effects.map(({ conflict }) => conflict?.subject);
    expect(b).toBe(a);
    expect(c).not.toBe(a);
  });
});

describe('the order value', () => {
  test('is the time where the entity type is ordered by it', () => {
    const entity = { ...newEntity(), entityType: 'stock' };
    const counted = (occurredAtMicros: bigint, count: number): EventToProcess =>
      event(`{"count":${count}}`, {
        eventType: 'stock.counted',
        entity: { system: 'crm', type: 'stock', externalId: 'S', rawExternalId: 'S' },
        version: undefined,
        occurredAtMicros,
      });
    const effects = decideAll(entity, counted(2n, 20), counted(1n, 10), counted(3n, 30));
    expect(effects.map(({ outcome }) => outcome)).toEqual(['applied', 'stale', 'applied']);
    expect([...entity.records.values()].map(({ data }) => writeJson(data))).toEqual(['{"count":30}']);
  });

  test('is none where nothing orders: each patch in turn', () => {
    const entity = { ...newEntity(), entityType: 'payment' };
    const paid = (status: string): EventToProcess =>
      event(`{"status":"${status}"}`, {
        eventType: 'payment.completed',
        entity: { system: 'crm', type: 'payment', externalId: 'P', rawExternalId: 'P' },
        version: undefined,
      });
    decideAll(entity, paid('OPEN'), paid('PAID'));
    expect([...entity.records.values()].map(({ data }) => writeJson(data))).toEqual(['{"status":"PAID"}']);
  });
});

describe('a merge', () => {
  const withMerge: Contract = contractOf(
    'customer.noted',
    {
      strategy: 'merge',
      merge: new Map([
        ['score', { kind: 'sum', pointer: { source: '/how/much', steps: ['how', 'much'] } }],
        ['email', { kind: 'latest' }],
      ]),
    },
    ['score', 'email'],
  );
  const noted = (payload: string, changes: Partial<EventToProcess> = {}): EventToProcess =>
    event(payload, { eventType: 'customer.noted', ...changes });

  test('reads the number of a sum from the payload, and other shares from the mapped fields', () => {
    const entity = newEntity();
    decide(noted('{"full_name":"Ada","contact":{"email":"a@x"},"how":{"much":1.5}}'), entity, withMerge);
    expect(writeJson(entity.data)).toBe('{"name":"Ada","score":1.5,"email":"a@x"}');
  });

  test('does not patch in what a sum reads, where the names are those of the payload', () => {
    const entity = newEntity();
    const fromErp = { source: 'erp', entity: { system: 'erp', type: 'customer', externalId: 'E', rawExternalId: 'E' } };
    decide(noted('{"how":{"much":1,"why":"x"}}', fromErp), entity, withMerge);
    expect(writeJson(entity.data)).toBe('{"how":{"why":"x"},"score":1}');
  });

  test('owns its fields: whole records and patches of other event types leave them alone', () => {
    const entity = newEntity();
    const told = ['{"contact":{"email":"rule"},"how":{"much":1}}', '{"full_name":"Ada","contact":{"email":"whole"}}'];
    decide(noted(told[0] ?? ''), entity, withMerge);
    decide(event(told[1] ?? '', { version: '7' }), entity, withMerge);
    expect(writeJson(entity.data)).toBe('{"name":"Ada","score":1,"email":"rule"}');
  });

  test('lets go of a field that no rule owns any more', () => {
    const entity = newEntity();
    decide(noted('{"contact":{"email":"rule"},"how":{"much":1}}'), entity, withMerge);
    decide(event('{"full_name":"Ada","contact":{"email":"whole"}}', { version: '7' }), entity, contract);
    expect(writeJson(entity.data)).toBe('{"name":"Ada","email":"whole"}');
  });

  test('without the number that it adds is refused as a whole', () => {
    const entity = newEntity();
    expect(() => decide(noted('{"full_name":"Ada"}'), entity, withMerge)).toThrow(/`sum` takes a number/);
    expect(entity.records.size).toBe(0);
  });
});

describe('a delete', () => {
  const withDelete = contractOf('customer.noted', { strategy: 'overwrite', operation: 'delete' }, []);
  const gone = (version: string, changes: Partial<EventToProcess> = {}): EventToProcess =>
    event('{}', { eventType: 'customer.noted', version, ...changes });

  test('makes the entity deleted when no live record is left, and tells the targets', () => {
    const entity = newEntity();
    const fromErp = { source: 'erp', entity: { system: 'erp', type: 'customer', externalId: 'E', rawExternalId: 'E' } };
    decide(event('{"full_name":"Ada"}'), entity, withDelete);
    decide(event('{"name":"ADA"}', fromErp), entity, withDelete);
    expect(decide(gone('2'), entity, withDelete)).toMatchObject({ outcome: 'applied', deliverTo: ['erp'] });
    expect([entity.isDeleted, writeJson(entity.data)]).toEqual([false, '{"name":"ADA"}']);
    decide(gone('2', fromErp), entity, withDelete);
    expect([entity.isDeleted, writeJson(entity.data)]).toEqual([true, '{}']);
    expect(entity.revision).toBe(3n);
  });

  test('raises the revision also where the entity had no fields, and again when it comes back', () => {
    const entity = newEntity();
    decide(event('{}'), entity, withDelete);
    expect(decide(gone('2'), entity, withDelete).outcome).toBe('applied');
    expect(decide(event('{}', { version: '3' }), entity, withDelete).outcome).toBe('applied');
    expect([entity.isDeleted, entity.revision]).toEqual([false, 3n]);
  });
});

/** The contract with another `customer.noted`. */
function contractOf(name: string, changes: Partial<EventType>, mergedFields: readonly string[]): Contract {
  const eventType = named(contract.eventTypes, name);
  const customer = { ...named(contract.entityTypes, 'customer'), mergedFields: new Set(mergedFields) };
  return {
    ...contract,
    eventTypes: new Map([...contract.eventTypes, [name, { ...eventType, ...changes }]]),
    entityTypes: new Map([...contract.entityTypes, ['customer', customer]]),
  };
}

test.each([
  ['event type', { ...contract, eventTypes: new Map() }],
  ['entity type', { ...contract, entityTypes: new Map() }],
] as [string, Contract][])('an %s that the contract no longer has is a bug and no decision', (_what, changed) => {
  expect(() => decide(event('{}'), newEntity(), changed)).toThrow(/no longer has/);
});

test('a key that was used for other content is put before a person with both events', () => {
  const first = newEventId(0);
  const second = event('{}');
  expect(keyConflict(second, first)).toMatchObject({
    outcome: 'conflict',
    code: 'key.conflict',
    deliverTo: [],
    conflict: {
      kind: 'key',
      candidates: [
        { event_id: first, role: 'kept' },
        { event_id: second.eventId, role: 'set_aside', idempotency_key: 'k' },
      ],
    },
  });
});
