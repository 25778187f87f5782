import { expect, test } from '@jest/globals';
import { newInternalId } from './ids.js';
import { NO_REFERENCES, parseReferences, writeReferences, type RecordReferences } from './record-references.js';

test('the references of a record come back from storage as they were', () => {
  const ada = { path: '/customer_id', entityType: 'customer', internalId: newInternalId(0) };
  const held: RecordReferences = new Map([
    ['/customer_id', { references: [ada], clock: { order: 9007199254740993n, key: 'k' } }],
    ['/seller', { references: [ada], clock: undefined }],
    ['/lines/*/stock_id', { references: [], clock: { order: 1n, key: 'j' } }],
  ]);
  expect(parseReferences(writeReferences(held))).toEqual(held);
  expect(parseReferences(writeReferences(NO_REFERENCES))).toEqual(NO_REFERENCES);
  expect(writeReferences(NO_REFERENCES)).toBeNull();
});
