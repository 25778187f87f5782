import fc from 'fast-check';
import { JsonNumber, isJsonArray, isJsonObject, type Json } from '../../src/domain/json/json.js';

/** Names that have hurt readers of JSON, among others. */
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'length', '0', '', 'a/b', 'm~n', '\u0000', '\uFEFF'),
);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('\u0000', '"', '\\', '\u2028', '😀'),
);

const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...Array.from('0123456789')), minLength: 1, maxLength });

/** Every spelling that RFC 8259 §6 allows; exponents stay small enough for an oracle. */
export const numberText: fc.Arbitrary<string> = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      digits(25).map((all) => all.replace(/^0+(?=\d)/, '')),
    ),
    fraction: fc.option(digits(25), { nil: undefined }),
    exponent: fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(2)), {
      nil: undefined,
    }),
  })
  .map(({ sign, whole, fraction, exponent }) =>
    [sign, whole, fraction === undefined ? '' : `.${fraction}`, ...(exponent ?? [])].join(''),
  );

/** Values as the reader makes them, with every kind of number. */
export const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      text,
      numberText.map((digits_) => new JsonNumber(digits_)),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(name, tie('value')), { maxLength: 4, selector: ([key]) => key })
      .map((members) => new Map<string, Json>(members)),
  ),
})).value;

/** One character as JSON may write it: as it stands where that is allowed, or as an escape. */
const spelling = fc.constantFrom<'plain' | 'escaped'>('plain', 'escaped');
const blanks = fc.constantFrom('', '', ' ', '\n', '\t', '\r\n', '   ');

/** Some JSON text of a value: blanks anywhere, strings plain or in escapes. Numbers stay as they are. */
export function textOf(value: Json): fc.Arbitrary<string> {
  return fc.infiniteStream(fc.tuple(blanks, spelling)).map((choices) => {
    const blank = (): string => (choices.next().value as [string, string])[0];
    const string = (content: string): string => {
      const [, how] = choices.next().value as [string, 'plain' | 'escaped'];
      return how === 'plain' ? JSON.stringify(content) : escaped(content);
    };
    const write = (item: Json): string => blank() + writeBare(item) + blank();
    const writeBare = (item: Json): string => {
      if (item instanceof JsonNumber) return item.text;
      if (isJsonObject(item)) {
        const members = [...item];
        return `{${blank()}${members.map(([key, member]) => `${blank()}${string(key)}${blank()}:${write(member)}`).join(',')}}`;
      }
      if (isJsonArray(item)) return `[${blank()}${item.map(write).join(',')}]`;
      return typeof item === 'string' ? string(item) : String(item);
    };
    return write(value);
  });
}

/** A JSON document as somebody might print it, with the value that it holds. */
export const jsonDocument: fc.Arbitrary<{ readonly value: Json; readonly text: string }> = json.chain((value) =>
  textOf(value).map((written) => ({ value, text: written })),
);

function escaped(content: string): string {
  const units = Array.from({ length: content.length }, (_, at) => content.charCodeAt(at).toString(16).padStart(4, '0'));
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}
