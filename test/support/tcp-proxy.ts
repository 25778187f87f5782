import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a server that can be cut, held up, slowed down, and led somewhere else. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks every connection and refuses new ones, as a server does that went down. */
  cut(): Promise<void>;
  /** Takes connections again. */
  restore(): Promise<void>;
  /** Breaks every connection; new ones are taken at once. */
  breakConnections(): void;
  /** Nothing that a client says reaches the server until `letGo`; no connection breaks. */
  hold(): void;
  letGo(): void;
  /** From now on everything that the server says takes so much longer; 0 ends it. */
  delayAnswers(delayMs: number): void;
  /** Breaks every connection; new ones lead to this port of 127.0.0.1, as after a failover. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** One connection, as somebody sees it who listens in: what it is told goes on to the other side. */
export interface Connection {
  toServer(bytes: Uint8Array): void;
  toClient(bytes: Uint8Array): void;
  /** Breaks it. */
  end(): void;
}

/** What becomes of the bytes of one connection. */
export interface Listener {
  fromClient(bytes: Buffer): void;
  fromServer(bytes: Buffer): void;
}

/** Starts a proxy on a free port of 127.0.0.1. Without `listenIn` every byte goes on as it came. */
export async function startTcpProxy(
  target: { readonly host: string; readonly port: number },
  listenIn: (connection: Connection) => Listener = passOn,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  let { host, port: targetPort } = target;
  let isHeld = false;
  let answersDelayMs = 0;

  const server = createServer((client) => {
    const upstream = connect(targetPort, host);
    const end = (): void => [client, upstream].forEach((socket) => socket.destroy());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        clients.delete(client);
        end();
      });
    }
    clients.add(client);
    const listener = listenIn({
      toServer: (bytes) => upstream.write(bytes),
      toClient: (bytes) => client.write(bytes),
      end,
    });
    client.on('data', (bytes) => listener.fromClient(bytes));
    if (isHeld) client.pause();
    // What was said before the delay ended still comes in its order: every answer waits at least as long as the last.
    let freeAt = 0;
    upstream.on('data', (bytes) => {
      freeAt = Math.max(Date.now() + answersDelayMs, freeAt);
      const delayMs = freeAt - Date.now();
      if (delayMs <= 0) listener.fromServer(bytes);
      else setTimeout(() => listener.fromServer(bytes), delayMs).unref();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const breakConnections = (): void => sockets.forEach((socket) => socket.destroy());
  const cut = async (): Promise<void> => {
    const closed = server.listening ? once(server, 'close') : Promise.resolve();
    server.close();
    breakConnections();
    await closed;
  };
  return {
    port,
    cut,
    restore: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    breakConnections,
    hold: () => {
      isHeld = true;
      for (const client of clients) client.pause();
    },
    letGo: () => {
      isHeld = false;
      for (const client of clients) client.resume();
    },
    delayAnswers: (delayMs) => {
      answersDelayMs = delayMs;
    },
    leadTo: (newPort) => {
      host = '127.0.0.1';
      targetPort = newPort;
      breakConnections();
    },
    close: cut,
  };
}

function passOn(connection: Connection): Listener {
  return { fromClient: (bytes) => connection.toServer(bytes), fromServer: (bytes) => connection.toClient(bytes) };
}
