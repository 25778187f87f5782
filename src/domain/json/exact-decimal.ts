/** A decimal number with all its digits: `units · 10^-scale`. */
export interface ExactDecimal {
  readonly units: bigint;
  /** Digits after the point; never negative. */
  readonly scale: number;
}

/**
 * The value of a JSON number, or of the same digits as text. Undefined for everything else, and for numbers that have
 * more than `digitsMax` digits in front of the point or behind it when they are written without an exponent; they are
 * counted before anything is written out, so that 1e1000000000 costs nothing.
 */
export function readDecimal(text: string, digitsMax: number): ExactDecimal | undefined {
  const match = NUMBER_PARTS.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  const scale = fraction.length - shift;
  if (whole.length + shift > digitsMax || scale > digitsMax) return undefined;
  const units = BigInt(`${sign}${whole}${fraction}`);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** The exact sum, with the larger of the two scales: 1.50 and 1 are 2.50. */
export function addDecimals(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: unitsAt(a, scale) + unitsAt(b, scale), scale };
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: ExactDecimal, b: ExactDecimal): number {
  const scale = Math.max(a.scale, b.scale);
  const [x, y] = [unitsAt(a, scale), unitsAt(b, scale)];
  return x < y ? -1 : Number(x > y);
}

/** As JSON writes it, without an exponent. */
export function writeDecimal({ units, scale }: ExactDecimal): string {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const pointAt = digits.length - scale;
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, pointAt)}.${digits.slice(pointAt)}`;
}

function unitsAt({ units, scale }: ExactDecimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

const NUMBER_PARTS = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
