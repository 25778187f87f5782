import { quoted } from '../quoted.js';
import { JsonNumber, type Json, type JsonArray, type JsonObject } from './json.js';

/** Deeper values are refused: everything that walks a value later (fingerprint, merge, JSONata) may then recurse. */
export const JSON_DEPTH_MAX = 64;

export type JsonProblem = 'not_json' | 'duplicate_name' | 'lone_surrogate' | 'too_deep';

/** Why a text is no acceptable JSON; `at` is the offset of the character in question. */
export class JsonRefused extends Error {
  constructor(
    readonly problem: JsonProblem,
    readonly at: number,
    what: string,
  ) {
    super(`${what} at character ${String(at + 1)}`);
  }
}

export interface ReadJson {
  readonly value: Json;
  /** The source text of every object that stands under the name asked for, as it was written. */
  readonly sources: ReadonlyMap<JsonObject, string>;
}

/**
 * Reads JSON (RFC 8259) without losing anything: numbers keep their text, objects the order of their members. Names
 * that stand twice in one object are refused, because readers disagree on which one counts, and so are lone
 * surrogates, which no UTF-8 text can carry on.
 *
 * @param keepSourceOf the member name whose objects are also returned as text
 * @param depthMax how deep objects and lists may be nested
 * @throws JsonRefused
 */
export function readJson(text: string, keepSourceOf?: string, depthMax = JSON_DEPTH_MAX): ReadJson {
  const reader = new JsonReader(text, keepSourceOf, depthMax);
  return { value: reader.readDocument(), sources: reader.sources };
}

/**
 * Reads what was written from values that `readJson` let in. It may be deeper than they were, such as a clock for each
 * place in them; a limit here would refuse every later event of a record instead of the one that made it so deep.
 *
 * @throws JsonRefused where it is no JSON, which only a bug can cause
 */
export function readStoredJson(text: string): Json {
  return new JsonReader(text, undefined, Number.POSITIVE_INFINITY).readDocument();
}

// Characters are told apart by their codes: taking them out of the text as strings costs a third of the reading.
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

class JsonReader {
  readonly sources = new Map<JsonObject, string>();
  private position = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly keepSourceOf: string | undefined,
    private readonly depthMax: number,
  ) {}

  readDocument(): Json {
    const value = this.readValue();
    this.skipBlanks();
    if (this.position < this.text.length) throw this.refuse('not_json', 'More text after the end of the value');
    return value;
  }

  private readValue(): Json {
    this.skipBlanks();
    switch (this.text.charCodeAt(this.position)) {
      case OPEN_BRACE:
        return this.readObject();
      case OPEN_BRACKET:
        return this.readArray();
      case QUOTE:
        return this.readString();
      case SMALL_T:
        return this.readWord('true', true);
      case SMALL_F:
        return this.readWord('false', false);
      case SMALL_N:
        return this.readWord('null', null);
      default:
        return this.readNumber();
    }
  }

  private readObject(): JsonObject {
    const members = new Map<string, Json>();
    this.enter();
    if (this.skipTo(CLOSE_BRACE)) return this.leave(members);
    for (;;) {
      this.skipBlanks();
      const nameAt = this.position;
      if (this.text.charCodeAt(nameAt) !== QUOTE) throw this.refuse('not_json', 'A member name in quotes is expected');
      const name = this.readString();
      if (members.has(name)) throw this.refuse('duplicate_name', `The name ${quoted(name)} stands twice`, nameAt);
      if (!this.skipTo(COLON)) throw this.refuse('not_json', 'A colon is expected');
      members.set(name, this.readMember(name));
      if (this.skipTo(CLOSE_BRACE)) return this.leave(members);
      if (!this.skipTo(COMMA)) throw this.refuse('not_json', 'A comma or a closing brace is expected');
    }
  }

  private readMember(name: string): Json {
    this.skipBlanks();
    const start = this.position;
    const value = this.readValue();
    if (name === this.keepSourceOf && value instanceof Map) {
      this.sources.set(value, this.text.slice(start, this.position));
    }
    return value;
  }

  private readArray(): JsonArray {
    const items: Json[] = [];
    this.enter();
    if (this.skipTo(CLOSE_BRACKET)) return this.leave(items);
    for (;;) {
      items.push(this.readValue());
      if (this.skipTo(CLOSE_BRACKET)) return this.leave(items);
      if (!this.skipTo(COMMA)) throw this.refuse('not_json', 'A comma or a closing bracket is expected');
    }
  }

  private readString(): string {
    const openedAt = this.position++;
    let result = this.readPlainCharacters();
    if (this.text.charCodeAt(this.position) === QUOTE) {
      this.position++;
      return result;
    }
    while (this.position < this.text.length) {
      const code = this.text.charCodeAt(this.position);
      if (code === QUOTE) {
        this.position++;
        if (result.isWellFormed()) return result;
        throw this.refuse('lone_surrogate', 'Half a surrogate pair stands in a string', openedAt);
      }
      if (code !== BACKSLASH) throw this.refuse('not_json', 'A control character stands unescaped in a string');
      result += this.readEscape() + this.readPlainCharacters();
    }
    throw this.refuse('not_json', 'A string does not end', openedAt);
  }

  /** Up to a quote, a backslash, a control character or the end. */
  private readPlainCharacters(): string {
    const { text, position: from } = this;
    let to = from;
    for (let code = text.charCodeAt(to); code >= SPACE && code !== QUOTE && code !== BACKSLASH;) {
      code = text.charCodeAt(++to);
    }
    this.position = to;
    return text.slice(from, to);
  }

  private readEscape(): string {
    const letter = this.text[this.position + 1] ?? '';
    if (letter === 'u') {
      const digits = this.text.slice(this.position + 2, this.position + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.refuse('not_json', 'Four hexadecimal digits are expected');
      this.position += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
    if (character === undefined) throw this.refuse('not_json', 'An unknown escape stands in a string');
    this.position += 2;
    return character;
  }

  private readWord<T extends Json>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.position)) throw this.refuse('not_json', 'A JSON value is expected');
    this.position += word.length;
    return value;
  }

  private readNumber(): JsonNumber {
    NUMBER.lastIndex = this.position;
    const digits = NUMBER.exec(this.text)?.[0];
    if (digits === undefined) throw this.refuse('not_json', 'A JSON value is expected');
    this.position += digits.length;
    return new JsonNumber(digits);
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return;
      this.position++;
    }
  }

  private skipTo(character: number): boolean {
    this.skipBlanks();
    if (this.text.charCodeAt(this.position) !== character) return false;
    this.position++;
    return true;
  }

  private enter(): void {
    if (++this.depth > this.depthMax) {
      throw this.refuse('too_deep', `Values nested more than ${String(this.depthMax)} deep begin`);
    }
    this.position++;
  }

  private leave<T>(value: T): T {
    this.depth--;
    return value;
  }

  private refuse(problem: JsonProblem, what: string, at = this.position): JsonRefused {
    return new JsonRefused(problem, at, what);
  }
}
