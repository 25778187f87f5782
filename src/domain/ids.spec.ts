import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptedAtMs, firstUuidV7, newEventId, parseEventId, parseInternalId, uuidV7 } from './ids.js';

const moment = fc.nat(Number.MAX_SAFE_INTEGER).map((ms) => ms % 2 ** 48);

describe('a UUID of version 7', () => {
  test('carries its version, its variant and its moment', () => {
    fc.assert(
      fc.property(moment, (ms) => {
        const id = uuidV7(ms);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(ms);
        expect(acceptedAtMs(newEventId(ms))).toBe(ms);
      }),
    );
  });

  test('never comes twice, also within one moment', () => {
    const ids = Array.from({ length: 10_000 }, () => uuidV7(1));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('sorts into the room between the first of its moment and the first of the next', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31), (ms) => {
        const id = newEventId(ms);
        expect(firstUuidV7(ms) <= id && id < firstUuidV7(ms + 1)).toBe(true);
      }),
    );
  });
});

test.each([
  ['0192F0C1-7D3E-7000-8000-0000000000AB', '0192f0c1-7d3e-7000-8000-0000000000ab'],
  ['0192f0c1-7d3e-7000-8000-0000000000ab', '0192f0c1-7d3e-7000-8000-0000000000ab'],
  ['0192f0c17d3e700080000000000000ab', undefined],
  ['{0192f0c1-7d3e-7000-8000-0000000000ab}', undefined],
  ['0192f0c1-7d3e-7000-8000-0000000000ab\n', undefined],
  ['0192f0c1-7d3e-7000-8000-0000000000ag', undefined],
  ['', undefined],
])('the id %j is read as %j', (text, id) => {
  expect(parseEventId(text)).toBe(id);
  expect(parseInternalId(text)).toBe(id);
});
