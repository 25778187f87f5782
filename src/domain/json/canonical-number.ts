/**
 * One text for all spellings of a number's value: 100, 100.00, 1e2 and 0.1E+3 are equal. Works on the digits, so no
 * precision is lost and a huge exponent costs nothing.
 */
export function canonicalNumber(text: string): string {
  if (PLAIN_INTEGER.test(text)) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER_PARTS.exec(text) ?? [];
  if (exponent.length > EXPONENT_DIGITS_MAX) return text;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const shift = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return sign + placePoint(significant, shift);
}

/** Whether a text is a number as JSON writes it. */
export function isJsonNumberText(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/** A number as a part of a key: integers as written, everything else by value and without trailing zeros. */
export function plainNumber(text: string): string {
  return INTEGER.test(text) && text !== '-0' ? text : canonicalNumber(text);
}

/** A loop, because `/0+$/` looks at every run of zeros again from each of its places. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

/** `digits · 10^shift`, written plainly as long as that stays short. */
function placePoint(digits: string, shift: bigint): string {
  if (shift > PLAIN_SHIFT_MAX || shift < -PLAIN_SHIFT_MAX) return `${digits}e${String(shift)}`;
  if (shift >= 0n) return digits + '0'.repeat(Number(shift));
  const padded = digits.padStart(Number(-shift) + 1, '0');
  const pointAt = padded.length - Number(-shift);
  return `${padded.slice(0, pointAt)}.${padded.slice(pointAt)}`;
}

/** Nearly all numbers: they are their own canonical text (and `-0` is not among them). */
const PLAIN_INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const INTEGER = /^-?\d+$/;
const NUMBER_PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/;
/** Beyond a hundred zeros a number is written with its exponent. */
const PLAIN_SHIFT_MAX = 100n;
/** No number of any business has a longer exponent; such a text only equals itself. */
const EXPONENT_DIGITS_MAX = 30;
