import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What a handler of the hot path sees of a request; Fastify's requests are such, and those of a direct route. */
export interface Incoming {
  readonly headers: IncomingHttpHeaders;
  /** The bytes as a Buffer, once they have arrived. */
  readonly body: unknown;
  readonly raw: Pick<IncomingMessage, 'headersDistinct' | 'method' | 'socket' | 'url'>;
}

/** What says how a body is to be read. */
export type SentBody = Pick<Incoming, 'headers' | 'body'>;

/** What it says beside the answer's body. */
export interface Outgoing {
  status(code: number): unknown;
  header(name: string, value: string): unknown;
  type(mediaType: string): unknown;
}
