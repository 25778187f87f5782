import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const PATIENCE_MS = 60_000;

/**
 * One keep-alive connection over which bytes are sent as they stand, however wrong they are as HTTP. It is opened anew
 * after the service has closed it.
 */
export class HttpConnection {
  private socket: Socket | undefined;
  private received = Buffer.alloc(0);
  private wake: () => void = () => undefined;
  private isEnded = false;
  private isOverdue = false;
  /** How many requests had to be sent again. */
  resent = 0;

  constructor(private readonly port: number) {}

  /**
   * Sends a request and resolves to its final answer; rejects when the connection ends before it or none comes. A
   * connection may be cut off for its slowness just when a request is on its way: then that is sent again over a new
   * one, once, as clients do (RFC 9112 §9.3.1).
   */
  async send(request: Buffer): Promise<RawAnswer> {
    try {
      return await this.exchange(request);
    } catch (error) {
      if (this.isOverdue || this.received.length > 0) throw error;
      this.resent++;
      return this.exchange(request);
    }
  }

  private async exchange(request: Buffer): Promise<RawAnswer> {
    const socket = await this.open();
    socket.write(request);
    const overdue = setTimeout(() => this.giveUp(), PATIENCE_MS);
    try {
      const answer = await this.read();
      if (answer.headers.get('connection') === 'close') this.close();
      return answer;
    } catch (cause) {
      this.close();
      throw cause;
    } finally {
      clearTimeout(overdue);
    }
  }

  close(): void {
    this.socket?.destroy();
    this.socket = undefined;
    this.isEnded = true;
    this.wake();
  }

  private giveUp(): void {
    this.isOverdue = true;
    this.close();
  }

  private async open(): Promise<Socket> {
    if (this.socket !== undefined && !this.isEnded) return this.socket;
    const socket = connect(this.port, '127.0.0.1');
    this.socket = socket;
    this.received = Buffer.alloc(0);
    this.isEnded = false;
    socket.on('data', (chunk: Buffer) => {
      if (socket !== this.socket) return;
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (socket !== this.socket) return;
      this.isEnded = true;
      this.wake();
    });
    await once(socket, 'connect');
    return socket;
  }

  private async read(): Promise<RawAnswer> {
    const head = await this.take('\r\n\r\n');
    const [statusLine = '', ...lines] = head.split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (status < 200) return this.read();
    const headers = new Map(
      lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
    );
    return { status, headers, body: (await this.body(headers)).toString('utf8') };
  }

  private async body(headers: ReadonlyMap<string, string>): Promise<Buffer> {
    const length = headers.get('content-length');
    if (length !== undefined) return this.bytes(Number(length));
    if (headers.get('transfer-encoding') !== 'chunked') return Buffer.alloc(0);
    const chunks: Buffer[] = [];
    for (;;) {
      const size = parseInt(await this.take('\r\n'), 16);
      chunks.push(await this.bytes(size));
      await this.take('\r\n');
      if (size === 0) return Buffer.concat(chunks);
    }
  }

  private async take(end: string): Promise<string> {
    for (;;) {
      const at = this.received.indexOf(end);
      if (at >= 0) {
        const text = this.received.toString('latin1', 0, at);
        this.received = this.received.subarray(at + end.length);
        return text;
      }
      await this.more();
    }
  }

  private async bytes(count: number): Promise<Buffer> {
    while (this.received.length < count) await this.more();
    const bytes = this.received.subarray(0, count);
    this.received = this.received.subarray(count);
    return bytes;
  }

  private async more(): Promise<void> {
    if (this.isEnded) throw new Error(`The connection ended after ${this.received.toString('latin1').slice(0, 200)}`);
    await new Promise<void>((resolve) => (this.wake = resolve));
  }
}
