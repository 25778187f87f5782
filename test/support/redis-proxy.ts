import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a Redis that can be slow, that can be held up, and that can lead to another one. */
export interface RedisProxy {
  readonly url: string;
  /** Answers come so much later from now on; 0: at once. */
  slowDown(byMs: number): void;
  /** Answers that come from now on arrive when `letGo` is called. */
  hold(): void;
  letGo(): void;
  /** Breaks every connection, and leads new ones to this Redis, as a failover behind one name does. */
  leadTo(redisUrl: string): void;
  /** How many connections were made so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  let target = new URL(redisUrl);
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const upstreams = new Set<Socket>();
  let connections = 0;
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    connections++;
    const upstream = connect(Number(target.port), target.hostname);
    const end = (): void => [client, upstream].forEach((socket) => socket.destroy());
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        upstreams.delete(upstream);
        end();
      });
    }
    upstreams.add(upstream);
    client.on('data', (bytes) => upstream.write(bytes));
    // Timers of one length fire in their order, so that the bytes keep theirs.
    upstream.on('data', (bytes) => {
      if (delayMs === 0) client.write(bytes);
      else setTimeout(() => client.write(bytes), delayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `redis://127.0.0.1:${port}`,
    slowDown: (byMs) => (delayMs = byMs),
    hold: () => upstreams.forEach((upstream) => upstream.pause()),
    letGo: () => upstreams.forEach((upstream) => upstream.resume()),
    leadTo: (url) => {
      target = new URL(url);
      breakAll();
    },
    connections: () => connections,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}
