import { describe, expect, test } from '@jest/globals';
import { isZone, rfc3339Of, type InstantFormat } from './instant-source.js';

const read = (text: string, format: InstantFormat, zone = 'UTC') => rfc3339Of(text, { format, zone });

describe('an instant', () => {
  test.each<readonly [string, InstantFormat, string | undefined]>([
    ['1735732800', 'unix', '2025-01-01T12:00:00.000000Z'],
    ['1735732800.25', 'unix', '2025-01-01T12:00:00.250000Z'],
    ['1735732800.1234567', 'unix', '2025-01-01T12:00:00.123456Z'],
    ['-1', 'unix', '1969-12-31T23:59:59.000000Z'],
    ['1735732800123', 'unix_ms', '2025-01-01T12:00:00.123000Z'],
    ['1735732800123.456', 'unix_ms', '2025-01-01T12:00:00.123456Z'],
    ['253402300800', 'unix', undefined],
    ['', 'unix', undefined],
    ['now', 'unix', undefined],
    ['1e9', 'unix', undefined],
    ['9'.repeat(16), 'unix', undefined],
    ['2025-01-01T12:00:00+08:00', 'rfc3339', '2025-01-01T12:00:00+08:00'],
  ])('%s as %s is %s', (text, format, expected) => {
    expect(read(text, format)).toBe(expected);
  });

  test.each([
    ['2026-01-01T12:00:00', 'UTC', '2026-01-01T12:00:00Z'],
    ['2026-01-01 12:00:00', 'UTC', '2026-01-01T12:00:00Z'],
    ['2026-01-01T12:00', 'UTC', '2026-01-01T12:00:00Z'],
    ['2026-01-01T12:00:00.1234567', 'UTC', '2026-01-01T12:00:00.1234567Z'],
    ['2026-01-01T12:00:00', '+08:00', '2026-01-01T12:00:00+08:00'],
    ['2026-01-01T12:00:00', 'Europe/Berlin', '2026-01-01T11:00:00Z'],
    ['2026-07-01T12:00:00.1234567', 'Europe/Berlin', '2026-07-01T10:00:00.123456Z'],
    // An hour that comes twice is the first one; one that is skipped is read as if the clock had not been set.
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00Z'],
    ['2026-06-30T23:59:60', 'Europe/Berlin', '2026-06-30T22:00:00Z'],
    // With an offset of its own nothing is left to say.
    ['2026-01-01T12:00:00+01:00', 'America/New_York', '2026-01-01T12:00:00+01:00'],
    ['2026-02-30T12:00:00', 'Europe/Berlin', undefined],
    ['noon', 'Europe/Berlin', 'noon'],
  ])('%s on a wall in %s is %s', (text, zone, expected) => {
    expect(read(text, 'local', zone)).toBe(expected);
  });
});

test.each([
  ['UTC', true],
  ['+08:00', true],
  ['Europe/Berlin', true],
  ['+8', false],
  ['+24:00', false],
  ['Europe/Berlim', false],
  ['', false],
  ['2026-01-01T00:00[UTC]', false],
])('%s is a zone: %s', (zone, expected) => {
  expect(isZone(zone)).toBe(expected);
});
