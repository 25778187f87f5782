import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/**
 * One HTTP/1.1 connection with one request on its way at a time, straight on the socket: the generator shares its
 * cores with the service, and a full HTTP client would cost as much processor time as the service it measures.
 * It reads answers with a Content-Length only, and fails on any other, on a closed connection and on early bytes.
 */
export class KeepAliveConnection {
  private received = '';
  private onAnswer: ((answer: Answer) => void) | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly onFailure: (error: Error) => void,
  ) {
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.read(text);
    });
    socket.on('error', onFailure);
    socket.on('end', () => {
      onFailure(new Error('The service closed a keep-alive connection.'));
    });
  }

  static open(host: string, port: number, onFailure: (error: Error) => void): Promise<KeepAliveConnection> {
    return new Promise((resolve) => {
      const socket = connect({ host, port });
      const connection = new KeepAliveConnection(socket, onFailure);
      socket.once('connect', () => {
        resolve(connection);
      });
    });
  }

  /** Sends one whole request, given as latin1 text; `onAnswer` is called once, when its answer is complete. */
  send(request: string, onAnswer: (answer: Answer) => void): void {
    this.onAnswer = onAnswer;
    this.socket.write(request, 'latin1');
  }

  close(): void {
    this.socket.destroy();
  }

  private read(text: string): void {
    this.received += text;
    const headEnd = this.received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const bodyStart = headEnd + HEAD_END.length;
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.received.slice(0, headEnd))?.[1];
    if (length === undefined) {
      this.onFailure(new Error(`An answer without Content-Length: ${this.received.slice(0, headEnd)}`));
      return;
    }
    const end = bodyStart + Number(length);
    if (this.received.length < end) return;
    this.answer({ status: Number(this.received.slice(9, 12)), body: this.received.slice(bodyStart, end) }, end);
  }

  private answer(answer: Answer, end: number): void {
    const { onAnswer } = this;
    const isEarly = onAnswer === undefined || this.received.length > end;
    this.received = '';
    this.onAnswer = undefined;
    if (isEarly) this.onFailure(new Error('The service sent bytes that no request had asked for.'));
    else onAnswer(answer);
  }
}
