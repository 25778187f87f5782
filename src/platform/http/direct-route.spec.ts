import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { SyncError } from '../../domain/sync-error.js';
import { Log } from '../logging/logger.js';
import { answerDirectly } from './direct-route.js';
import type { Incoming, Outgoing } from './exchange.js';
import { ProblemFilter } from './problem.filter.js';
import { rawBody } from './raw-body.js';

const problems = new ProblemFilter(new Log('silent'));

describe('a direct route', () => {
  let server: Server;
  let socket: Socket;
  let answers = '';
  let handle: (request: Incoming, reply: Outgoing) => Promise<object>;

  beforeEach(async () => {
    handle = (request) => Promise.resolve({ direct: rawBody(request).toString() });
    server = createServer((request, response) => {
      request.resume().on('end', () => response.end('by the framework'));
    });
    const route = { url: '/hot', bodyBytesMax: 10, handle: (...given: Parameters<typeof handle>) => handle(...given) };
    answerDirectly(server, route, problems);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    answers = '';
    socket.on('data', (chunk) => (answers += String(chunk)));
  });

  afterEach(async () => {
    socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  });

  /** Until `text` has come, in whole or in part. */
  async function answered(text: string): Promise<string> {
    while (!answers.includes(text)) await once(socket, 'data');
    return answers;
  }

  const post = (rest: string): void => {
    socket.write(`POST /hot HTTP/1.1\r\nHost: x\r\n${rest}`);
  };

  test('hands the bytes to its handler, in however many pieces they come', async () => {
    post('Content-Length: 10\r\n\r\n01234');
    await once(server, 'request');
    socket.write('56789');
    expect(await answered('}')).toContain('{"direct":"0123456789"}');
    expect(answers).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json; charset=utf-8\r\n/);
  });

  test('answers one request after the other on a connection', async () => {
    post('Content-Length: 1\r\n\r\na');
    post('Content-Length: 1\r\n\r\nb');
    expect(await answered('"b"')).toContain('{"direct":"a"}');
  });

  test('sends the status and the headers that its handler sets', async () => {
    handle = (_request, reply) => {
      reply.status(422);
      reply.type('application/problem+json');
      reply.header('x-correlation-id', 'p-1');
      return Promise.resolve({});
    };
    post('Content-Length: 0\r\n\r\n');
    expect(await answered('{}')).toMatch(/^HTTP\/1\.1 422 /);
    expect(answers).toContain('content-type: application/problem+json');
    expect(answers).toContain('x-correlation-id: p-1');
  });

  test('turns what its handler throws into a problem document', async () => {
    handle = () => Promise.reject(new SyncError('storage.unavailable', 'Away.', { retryAfterSeconds: 7 }));
    post('Content-Length: 0\r\n\r\n');
    expect(await answered('}')).toMatch(/^HTTP\/1\.1 503 /);
    expect(answers).toContain('retry-after: 7');
    expect(answers).toContain('"code":"storage.unavailable"');
  });

  test.each([
    ['a body of unknown length', 'POST /hot HTTP/1.1\r\nTransfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n\r\n'],
    ['a body that is too long', 'POST /hot HTTP/1.1\r\nContent-Length: 11\r\n', '0123456789a'],
    ['a query', 'POST /hot?x HTTP/1.1\r\nContent-Length: 0\r\n', ''],
    ['another path', 'POST /hot/ HTTP/1.1\r\nContent-Length: 0\r\n', ''],
    ['another method', 'PUT /hot HTTP/1.1\r\nContent-Length: 0\r\n', ''],
  ])('leaves to the framework: %s', async (_what, head, body) => {
    socket.write(`${head}Host: x\r\n\r\n${body}`);
    expect(await answered('by the framework')).not.toContain('direct');
  });

  test('never made a request that is broken off before its end', async () => {
    const handled: Incoming[] = [];
    handle = (request) => {
      handled.push(request);
      return Promise.resolve({});
    };
    post('Content-Length: 5\r\n\r\n012');
    const [brokenOff] = (await once(server, 'request')) as [IncomingMessage];
    socket.destroy();
    await new Promise((resolve) => brokenOff.once('close', resolve));
    expect(handled).toEqual([]);
  });

  test('closes its connection when the server no longer listens', async () => {
    let finish: () => void = () => undefined;
    handle = () => new Promise((resolve) => (finish = () => resolve({ late: true })));
    post('Content-Length: 0\r\n\r\n');
    await once(server, 'request');
    const closed = new Promise((resolve) => server.close(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    finish();
    expect(await answered('{"late":true}')).toContain('connection: close');
    await closed;
  });
});
