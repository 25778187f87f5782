import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a PostgreSQL that can be cut, that can be held up, and that can lose an answer. */
export interface DatabaseProxy {
  readonly url: string;
  /** Breaks every connection and refuses new ones, as a server does that went down. */
  cut(): Promise<void>;
  /** Takes connections again. */
  restore(): Promise<void>;
  /** Nothing that a client says reaches the server until `letGo`; no connection breaks. */
  hold(): void;
  letGo(): void;
  /**
   * The next statement that carries this text reaches the server and commits there; then its connection breaks before
   * the answer comes through.
   */
  loseAnswerTo(text: string): void;
  close(): Promise<void>;
}

/** ReadyForQuery, outside of a transaction: the statements before it are committed (PostgreSQL protocol, chapter 54.7). */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let isHeld = false;
  let textToLose: string | undefined;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    const end = (): void => [client, upstream].forEach((socket) => socket.destroy());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        clients.delete(client);
        end();
      });
    }
    clients.add(client);
    let isVictim = false;
    client.on('data', (bytes) => {
      if (textToLose !== undefined && bytes.includes(textToLose)) {
        isVictim = true;
        textToLose = undefined;
      }
      upstream.write(bytes);
    });
    if (isHeld) client.pause();
    upstream.on('data', (bytes) => {
      if (!isVictim) client.write(bytes);
      else if (bytes.subarray(-READY.length).equals(READY)) end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : Promise.resolve();
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    cut,
    restore: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    hold: () => {
      isHeld = true;
      for (const client of clients) client.pause();
    },
    letGo: () => {
      isHeld = false;
      for (const client of clients) client.resume();
    },
    loseAnswerTo: (text) => (textToLose = text),
    close: cut,
  };
}
