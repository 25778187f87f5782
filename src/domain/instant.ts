/**
 * Instants by RFC 3339 §5.6 (`date-time`), to the microsecond, which is what PostgreSQL keeps and what all four
 * languages of the protocol can hold.
 */
const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,30}))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

/** Microseconds since 1970 in UTC; finer digits are cut. Undefined when `text` is no full RFC 3339 date-time. */
export function instantMicros(text: string): bigint | undefined {
  const parts = readDateTime(text);
  if (parts === undefined) return undefined;
  return microsOf(parts);
}

/** As above, but undefined where that would cut a digit: two instants must not become one. */
export function exactInstantMicros(text: string): bigint | undefined {
  const parts = mayBeDateTime(text) ? readDateTime(text) : undefined;
  if (parts === undefined || /[1-9]/.test(parts.fraction.slice(6))) return undefined;
  return microsOf(parts);
}

/** One text for all spellings of one instant, with all the digits of its fraction. */
export function canonicalInstant(text: string): string | undefined {
  const parts = mayBeDateTime(text) ? readDateTime(text) : undefined;
  return parts === undefined ? undefined : `${String(parts.epochMs)}.${parts.fraction.replace(/0+$/, '')}`;
}

/** RFC 3339 in UTC with six digits of a second. */
export function formatInstant(micros: bigint): string {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = (micros - fraction) / 1_000_000n;
  const date = new Date(Number(seconds) * 1000).toISOString();
  return `${date.slice(0, 19)}.${String(fraction).padStart(6, '0')}Z`;
}

/** Almost no string is a date-time: three characters are looked at before the expression is tried. */
function mayBeDateTime(text: string): boolean {
  return text.length >= 20 && text[4] === '-' && text[7] === '-';
}

function microsOf({ epochMs, fraction }: DateTimeParts): bigint {
  return BigInt(epochMs) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

interface DateTimeParts {
  /** Whole seconds, as milliseconds since 1970. */
  readonly epochMs: number;
  readonly fraction: string;
}

function readDateTime(text: string): DateTimeParts | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  const offsetHours = Number(match[10] ?? 0);
  const offsetMinutes = Number(match[11] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // A leap second (60) is read as the first second of the next minute.
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const offsetMs = (match[9] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  // Reckoned a cycle of the calendar later, because `Date.UTC` takes the years 0 to 99 for those of the 20th century.
  const localMs = Date.UTC(year + CYCLE_YEARS, month - 1, day, hour, minute, second) - CYCLE_MS;
  return { epochMs: localMs - offsetMs, fraction: match[7] ?? '' };
}

/** After 400 years the Gregorian calendar repeats, to the day. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * 86_400_000;

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
