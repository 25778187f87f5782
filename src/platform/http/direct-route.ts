import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Incoming, Outgoing } from './exchange.js';
import type { ProblemFilter } from './problem.filter.js';

/** A POST route whose requests need nothing of the framework on their way to the handler. */
export interface DirectRoute {
  readonly url: string;
  /** Requests with larger bodies take the framework's way, where they are refused. */
  readonly bodyBytesMax: number;
  /** The controller's own method: sets status and headers, returns the answer's body, throws like any other. */
  readonly handle: (request: Incoming, reply: Outgoing) => Promise<object>;
}

/**
 * Answers the plain requests of a hot route (exactly this URL, a body of a known and allowed length) on the HTTP server
 * itself. The controller still declares the route: its documentation and its access rule stand where they stand for all
 * routes, and every other request to it takes the framework's way to the same method, with the same answers. What is
 * left out is Fastify's routing and hooks and Nest's guards, pipes and interceptors: a quarter of the time of a request.
 *
 * For routes of access kind `source` only: they prove themselves on their raw bytes, in the method, and the guard that
 * is left out has nothing to say about them.
 */
export function answerDirectly(server: Server, route: DirectRoute, problems: ProblemFilter): void {
  const framework = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (isPlain(request, route)) new DirectExchange(server, request, response, route, problems).begin();
    else for (const listener of framework) listener(request, response);
  });
}

function isPlain({ url, method, headers }: IncomingMessage, route: DirectRoute): boolean {
  return url === route.url && method === 'POST' && Number(headers['content-length']) <= route.bodyBytesMax;
}

class DirectExchange implements Incoming, Outgoing {
  body: Buffer | undefined;
  readonly method = 'POST';
  private readonly answerHeaders: Record<string, string | number> = {};
  private statusCode = 200;

  constructor(
    private readonly server: Server,
    readonly raw: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly route: DirectRoute,
    private readonly problems: ProblemFilter,
  ) {}

  get headers(): IncomingMessage['headers'] {
    return this.raw.headers;
  }

  /** How log lines name the route. */
  get routeOptions(): { readonly url: string } {
    return this.route;
  }

  /** A request that is broken off before its end was never made. */
  begin(): void {
    const chunks: Buffer[] = [];
    this.raw.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.raw.on('end', () => {
      this.body = Buffer.concat(chunks);
      this.answer();
    });
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  header(name: string, value: string): this {
    this.answerHeaders[name] = value;
    return this;
  }

  type(mediaType: string): this {
    return this.header('content-type', mediaType);
  }

  send(answer: object): void {
    const text = JSON.stringify(answer);
    this.answerHeaders['content-type'] ??= 'application/json; charset=utf-8';
    this.answerHeaders['content-length'] = Buffer.byteLength(text);
    // A server that is closing waits for its connections, so none may stay open for another request.
    if (!this.server.listening) this.answerHeaders['connection'] = 'close';
    this.response.writeHead(this.statusCode, this.answerHeaders).end(text);
  }

  private answer(): void {
    this.route.handle(this, this).then(
      (answer) => this.send(answer),
      (error: unknown) => this.problems.answer(error, this, this),
    );
  }
}
