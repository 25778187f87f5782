import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { problemOf } from './problem.js';

/** Paths that the router cannot even read: bad percent-encoding, a part that is longer than any id. */
export function answerUnroutable(error: { readonly code?: string }, reply: FastifyReply): void {
  const detail =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? 'A part of the path is longer than any id can be.'
      : 'The path is not valid percent-encoded UTF-8.';
  const problem = problemOf('request.invalid', detail);
  void reply.status(problem.status).type('application/problem+json').send(problem);
}

/** What is no HTTP, or comes too slowly: answered on the socket, because there is no request to answer. */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const detail = DETAILS[error.code ?? ''] ?? 'This is not HTTP/1.1.';
  const body = JSON.stringify(problemOf('request.invalid', detail));
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${String(
      Buffer.byteLength(body),
    )}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const DETAILS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers, or the path, are too long.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request came too slowly.',
};
