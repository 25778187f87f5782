import { randomBytes } from 'node:crypto';
import { canonicalNumber } from '../../domain/json/canonical-number.js';
import { JsonNumber, isJsonArray, isJsonObject, type Json } from '../../domain/json/json.js';

/**
 * Numbers on their way through JSONata, which only knows doubles. A number that a double prints as it was written
 * stays a number; every other one (9007199254740993, 1299.00) travels as an opaque token and comes out as written. The
 * token holds a random mark, so that no text of a payload can be taken for one.
 */
export class ExactNumbers {
  private readonly mark = randomBytes(9).toString('base64url');
  private readonly token = new RegExp(`\u0001${this.mark}:([^\u0002]*)\u0002`, 'g');

  /** As plain JavaScript values, with tokens. */
  toPlain(value: Json): unknown {
    if (value instanceof JsonNumber) return this.numberOrToken(value.text);
    if (isJsonArray(value)) return value.map((item) => this.toPlain(item));
    if (!isJsonObject(value)) return value;
    const plain: Record<string, unknown> = {};
    for (const [name, member] of value) {
      // An assignment to `__proto__` would change the object's prototype instead of making a member.
      Object.defineProperty(plain, name, {
        value: this.toPlain(member),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return plain;
  }

  /** JSON text of an expression's result, with the tokens put back. */
  toJson(value: unknown): string | undefined {
    // Undefined and functions have no JSON text, which the type of `stringify` does not say.
    const text = JSON.stringify(value) as string | undefined;
    return text?.replace(this.quotedToken, '$1').replace(this.escapedToken, '$1');
  }

  /**
   * The double that a token stands for.
   *
   * @throws Error when a double cannot hold it
   */
  toDouble(text: string): number | undefined {
    this.token.lastIndex = 0;
    const digits = this.token.exec(text)?.[1];
    if (digits === undefined) return undefined;
    const double = Number(digits);
    if (isSameValue(digits, double)) return double;
    throw new Error(`${digits} has more digits than arithmetic can hold; pass it on as it is`);
  }

  private numberOrToken(text: string): number | string {
    const double = Number(text);
    return String(double) === text ? double : `\u0001${this.mark}:${text}\u0002`;
  }

  /** A string that is one token: the number stands alone. */
  private get quotedToken(): RegExp {
    return new RegExp(`"\\\\u0001${this.mark}:([^\\\\"]*)\\\\u0002"`, 'g');
  }

  /** A token inside a text: its digits become part of the text. */
  private get escapedToken(): RegExp {
    return new RegExp(`\\\\u0001${this.mark}:([^\\\\"]*)\\\\u0002`, 'g');
  }
}

function isSameValue(digits: string, double: number): boolean {
  return Number.isFinite(double) && canonicalNumber(String(double)) === canonicalNumber(digits);
}
