import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { KeepAliveConnection } from './keep-alive-connection.js';

let server: Server | undefined;
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
});

/** What a client sees of a server that answers each request with these pieces, each in a packet of its own. */
async function answerMadeOf(pieces: readonly string[]): Promise<string> {
  const listening = createServer((socket) => {
    sockets.push(socket);
    socket.setNoDelay(true);
    socket.on('data', () => {
      for (const [index, piece] of pieces.entries()) setTimeout(() => socket.write(piece), index * 20);
    });
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  return new Promise((resolve) => {
    const failed = (error: Error): void => {
      resolve(error.message);
    };
    void KeepAliveConnection.open('127.0.0.1', port, failed).then((connection) => {
      connection.send('POST / HTTP/1.1\r\n\r\n', ({ status, body }) => {
        connection.close();
        resolve(`${String(status)} ${body}`);
      });
    });
  });
}

test('an answer that arrives in pieces is read whole', async () => {
  const seen = await answerMadeOf(['HTTP/1.1 202 Accep', 'ted\r\nContent-Length: 5\r\n\r', '\nhel', 'lo']);
  expect(seen).toBe('202 hello');
});

test('an answer without Content-Length fails instead of being counted', async () => {
  const seen = await answerMadeOf(['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n']);
  expect(seen).toContain('without Content-Length');
});

test('bytes behind an answer fail instead of being taken for the next one', async () => {
  const seen = await answerMadeOf(['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n']);
  expect(seen).toContain('no request had asked for');
});
