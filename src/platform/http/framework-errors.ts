import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { problemOf, type Problem } from './problem.js';

/** Paths that the router cannot even read: bad percent-encoding, a part that is longer than any id. */
export function answerUnroutable(error: { readonly code?: string }, reply: FastifyReply): void {
  const detail =
    error.code === 'FST_ERR_MAX_PARAM_LENGTH'
      ? 'A part of the path is longer than any id can be.'
      : 'The path is not valid percent-encoded UTF-8.';
  const problem = problemOf('request.invalid', detail);
  void reply.status(problem.status).type('application/problem+json').send(problem);
}

/**
 * A request may say what it expects of the server (`Expect`, RFC 9110 §10.1.1). What is not known is passed over, as the
 * RFC allows: Node would answer 417 with nothing in it.
 */
export function passOverExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/**
 * What is no HTTP, or comes too slowly: answered on the socket, because there is no request to answer. The connection is
 * closed from our side as well: whoever trickles would only go on.
 */
export function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const problem = problemOfSocket(error.code);
  const body = JSON.stringify(problem);
  socket.write(
    `HTTP/1.1 ${String(problem.status)} ${STATUS_CODES[problem.status] ?? ''}\r\n` +
      `Content-Type: application/problem+json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  socket.destroySoon();
}

function problemOfSocket(code: string | undefined): Problem {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return problemOf('request.too_slow', 'The request came too slowly.');
  if (code === 'HPE_HEADER_OVERFLOW') return problemOf('request.invalid', 'The headers, or the path, are too long.');
  return problemOf('request.invalid', 'This is not HTTP/1.1.');
}
