import { canonicalNumber } from '../../domain/json/canonical-number.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json } from '../../domain/json/json.js';

/**
 * A number on its way through JSONata that a double would not print as it was written: 9007199254740993, 1299.00. To
 * JSONata it is an opaque object, so a function that has no use for it refuses it by its signature.
 */
export class ExactNumber {
  /** The only member, and one that counts: JSONata compares objects by their members. */
  constructor(readonly digits: string) {}

  /** Where JSONata copies values by way of JSON the digits would be lost in silence. */
  toJSON(): never {
    throw new Error(`${this.digits} cannot be copied; build the object member by member`);
  }
}

/** As plain JavaScript values; numbers that a double prints as they were written stay numbers. */
export function toPlain(value: Json): unknown {
  if (value instanceof JsonNumber) {
    const double = Number(value.text);
    return String(double) === value.text ? double : new ExactNumber(value.text);
  }
  if (isJsonArray(value)) return value.map(toPlain);
  if (!isJsonObject(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [name, member] of value) {
    // An assignment to `__proto__` would change the object's prototype instead of making a member.
    Object.defineProperty(plain, name, {
      value: toPlain(member),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return plain;
}

/** JSON text of an expression's result, exact numbers as they were written; undefined where it has none. */
export function toJsonText(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  if (Array.isArray(value)) return `[${value.map((item) => toJsonText(item) ?? 'null').join(',')}]`;
  // Undefined and functions have no JSON text, which the type of `stringify` does not say.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = toJsonText(member);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
}

/**
 * The double that holds the number's value.
 *
 * @throws Error when none does
 */
export function toDouble(number: ExactNumber): number {
  const double = doubleOf(number);
  if (double !== undefined) return double;
  throw new Error(`${number.digits} has more digits than arithmetic can hold; pass it on as it is`);
}

/** Equal for equal values, whether a double holds them or not. */
export function toComparable(number: ExactNumber): number | string {
  return doubleOf(number) ?? canonicalNumber(number.digits);
}

function doubleOf({ digits }: ExactNumber): number | undefined {
  const double = Number(digits);
  const isSame = Number.isFinite(double) && canonicalNumber(String(double)) === canonicalNumber(digits);
  return isSame ? double : undefined;
}
