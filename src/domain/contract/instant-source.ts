import { Temporal } from 'temporal-polyfill';
import { formatInstant } from '../instant.js';
import type { Template } from './template.js';

/** Where a rule finds an instant, and how it is written there. */
export interface InstantSource {
  readonly from: Template;
  readonly format: InstantFormat;
  /** For `local`: `UTC`, an offset such as `+08:00`, or a name of the IANA time zone database. */
  readonly zone: string;
}

/** `unix` seconds or `unix_ms` milliseconds since 1970, RFC 3339, or the time on the wall without an offset. */
export type InstantFormat = 'unix' | 'unix_ms' | 'rfc3339' | 'local';

const OFFSET = /^[+-](?:[01]\d|2[0-3]):[0-5]\d$/;
const ZONE_NAME = /^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/;
const SINCE_1970 = /^(-?)(\d{1,15})(?:\.(\d{1,30}))?$/;
const ON_THE_WALL = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,30})?)?$/;

export function isZone(zone: string): boolean {
  if (zone === 'UTC' || OFFSET.test(zone)) return true;
  // Temporal takes whole date-times for the zone in them.
  if (!ZONE_NAME.test(zone)) return false;
  try {
    Temporal.PlainDateTime.from('2000-01-01T00:00').toZonedDateTime(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * The instant in RFC 3339, or undefined when `text` is none of that format; an RFC 3339 text is passed on unread. Of
 * the two instants of a wall clock's repeated hour the first is meant; a time that the clock skipped is read as if it
 * had not. A wall time that carries an offset needs no zone.
 */
export function rfc3339Of(text: string, { format, zone }: Pick<InstantSource, 'format' | 'zone'>): string | undefined {
  switch (format) {
    case 'rfc3339':
      return text;
    case 'unix':
      return sinceEpoch(text, 6);
    case 'unix_ms':
      return sinceEpoch(text, 3);
    case 'local':
      return onTheWall(text, zone);
  }
}

/** @param digits of a microsecond in one unit */
function sinceEpoch(text: string, digits: number): string | undefined {
  const [, sign = '', whole, fraction = ''] = SINCE_1970.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const micros = BigInt(whole + fraction.padEnd(digits, '0').slice(0, digits));
  return micros > LATEST_MICROS ? undefined : formatInstant(sign === '' ? micros : -micros);
}

/** The end of the year 9999: nothing later can be written in RFC 3339. */
const LATEST_MICROS = 253_402_300_799_999_999n;

function onTheWall(text: string, zone: string): string | undefined {
  const [, date, time, seconds = ':00'] = ON_THE_WALL.exec(text) ?? [];
  if (date === undefined || time === undefined) return text;
  const local = `${date}T${time}${seconds}`;
  if (zone === 'UTC') return `${local}Z`;
  if (OFFSET.test(zone)) return local + zone;
  // A leap second is the first one of the next minute, as RFC 3339 texts are read; Temporal would cut it.
  const isLeap = seconds.startsWith(':60');
  const withoutLeap = isLeap ? `${date}T${time}${seconds.replace(':60', ':59')}` : local;
  try {
    // Temporal knows nine digits of a second, and microseconds are all that is kept.
    const wall = Temporal.PlainDateTime.from(withoutLeap.slice(0, '2026-01-01T12:00:00.123456'.length));
    const instant = wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();
    return instant.add({ seconds: isLeap ? 1 : 0 }).toString();
  } catch {
    return undefined;
  }
}
