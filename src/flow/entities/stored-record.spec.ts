import { expect, test } from '@jest/globals';
import type { ClockTree } from '../../domain/field-clock.js';
import { newInternalId } from '../../domain/ids.js';
import { JSON_DEPTH_MAX } from '../../domain/json/read-json.js';
import type { Json } from '../../domain/json/json.js';
import type { MergedField } from '../../domain/merged-field.js';
import { NO_REFERENCES } from '../../domain/record-references.js';
import { EMPTY_RECORD } from '../../domain/source-record.js';
import type { HeldRecord } from './held-entities.js';
import { readRecord, writeRecord } from './stored-record.js';

const CLOCK = { order: 7n, key: 'k' };

test('a record of events as deep as the door lets in is read again with every clock and element', () => {
  let clocks: ClockTree = { written: CLOCK, members: new Map() };
  let value: Json = 'deep';
  for (let depth = 0; depth < JSON_DEPTH_MAX; depth++) {
    clocks = { members: new Map([['below', clocks]]) };
    value = new Map<string, Json>([['below', value]]);
  }
  const tags: MergedField = {
    kind: 'union',
    elements: new Map([['x', { value, first: CLOCK, position: 0, last: CLOCK }]]),
  };
  const record: HeldRecord = {
    ...EMPTY_RECORD,
    source: 'crm',
    entity: { system: 'crm', type: 'customer', externalId: '1' },
    data: new Map<string, Json>([
      ['below', value],
      ['tags', [value]],
    ]),
    clocks,
    merged: new Map([['tags', tags]]),
    references: NO_REFERENCES,
    lastEventId: '01a22ca3-059c-77f4-95a9-d5114942d27f',
    isChanged: false,
  };
  const entity = {
    internalId: newInternalId(0),
    entityType: 'customer',
    revision: 1n,
    data: record.data,
    isDeleted: false,
    isChanged: false,
    path: undefined,
    records: new Map(),
  };
  expect(readRecord(writeRecord(entity, record))).toEqual(record);
});
