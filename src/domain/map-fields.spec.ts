import { expect, test } from '@jest/globals';
import type { FieldRule } from './contract/contract.js';
import { parsePointer } from './contract/pointer.js';
import { isJsonObject, type JsonObject } from './json/json.js';
import { readJson } from './json/read-json.js';
import { mapFields } from './map-fields.js';
import { writeJson } from './json/write-json.js';

function object(text: string): JsonObject {
  const { value } = readJson(text);
  if (!isJsonObject(value)) throw new Error('The test gave no object.');
  return value;
}

function rules(pointers: Readonly<Record<string, string>>): FieldRule[] {
  return Object.entries(pointers).flatMap(([field, source]): FieldRule[] => {
    const pointer = parsePointer(source);
    return pointer === undefined ? [] : [{ field, pointer }];
  });
}

test('without rules the payload’s names are the canonical ones', () => {
  const payload = object('{"a":1.00,"b":null}');
  expect(mapFields(payload, undefined)).toBe(payload);
});

test('with rules only what they name becomes a field, as it was written', () => {
  const payload = object('{"full_name":"Ada","contact":{"email":null},"amount":1299.00,"more":true}');
  const mapped = mapFields(payload, rules({ total: '/amount', name: '/full_name', email: '/contact/email' }));
  expect(writeJson(mapped)).toBe('{"total":1299.00,"name":"Ada","email":null}');
});

test('what is absent stays absent, what is null says so', () => {
  expect(writeJson(mapFields(object('{"a":null}'), rules({ x: '/a', y: '/b', z: '/a/c' })))).toBe('{"x":null}');
  expect(mapFields(object('{"a":1}'), []).size).toBe(0);
});
