/** One statement on its way to PostgreSQL. */
export interface Statement {
  readonly text: string;
  /** The texts of its transaction so far, itself included; a statement outside of one is alone. */
  readonly transaction: readonly string[];
}

/** What a client sent: a message of the protocol, and the statement that it begins to run, if it does. */
export interface ClientMessage {
  readonly bytes: Buffer;
  readonly statement: Statement | undefined;
}

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/**
 * Cuts what one client of PostgreSQL says into messages and knows which statement each of them runs: by its text, or
 * prepared before under a name (PostgreSQL protocol, chapter 54.7: Query, Parse, Bind).
 */
export class PostgresStatements {
  private rest = Buffer.alloc(0);
  private hasStarted = false;
  private readonly textsByName = new Map<string, string>();
  private transaction: string[] | undefined;
  /** A statement begins with its Parse, where there is one. */
  private parsedName: string | undefined;

  /** The messages that are complete by now. */
  read(bytes: Buffer): ClientMessage[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const messages: ClientMessage[] = [];
    for (let length = this.messageLength(); length !== undefined; length = this.messageLength()) {
      const message = this.rest.subarray(0, length);
      this.rest = this.rest.subarray(length);
      messages.push({ bytes: message, statement: this.hasStarted ? this.statementOf(message) : undefined });
      this.hasStarted = true;
    }
    return messages;
  }

  /** The first message has no type. */
  private messageLength(): number | undefined {
    const typeBytes = this.hasStarted ? TYPE_BYTES : 0;
    if (this.rest.length < typeBytes + LENGTH_BYTES) return undefined;
    const length = typeBytes + this.rest.readUInt32BE(typeBytes);
    return this.rest.length < length ? undefined : length;
  }

  private statementOf(message: Buffer): Statement | undefined {
    const body = message.subarray(TYPE_BYTES + LENGTH_BYTES);
    switch (String.fromCharCode(message[0] ?? 0)) {
      case 'Q':
        return this.begun(textAt(body, 0));
      case 'P': {
        const name = textAt(body, 0);
        const text = textAt(body, Buffer.byteLength(name) + 1);
        this.textsByName.set(name, text);
        this.parsedName = name;
        return this.begun(text);
      }
      case 'B': {
        const portal = textAt(body, 0);
        const name = textAt(body, Buffer.byteLength(portal) + 1);
        const isBegun = name === this.parsedName;
        this.parsedName = undefined;
        return isBegun ? undefined : this.begun(this.textsByName.get(name) ?? '');
      }
      default:
        return undefined;
    }
  }

  private begun(text: string): Statement {
    if (text.startsWith('BEGIN')) this.transaction = [];
    this.transaction?.push(text);
    const statement = { text, transaction: [...(this.transaction ?? [text])] };
    if (text === 'COMMIT' || text === 'ROLLBACK') this.transaction = undefined;
    return statement;
  }
}

function textAt(bytes: Buffer, from: number): string {
  return bytes.subarray(from, bytes.indexOf(0, from)).toString('utf8');
}
