import { startTcpProxy } from './tcp-proxy.js';
import type { TcpProxy } from './tcp-proxy.js';
import type { RedisServer } from './redis-server.js';

/** A way to a Redis that can be cut, held up, slowed down, and led to another one, as a failover does. */
export interface RedisProxy extends Omit<TcpProxy, 'port' | 'leadTo'> {
  readonly url: string;
  leadTo(redis: Pick<RedisServer, 'url'>): void;
  /** How many connections were made so far. */
  connections(): number;
}

export async function startRedisProxy({ url }: Pick<RedisServer, 'url'>): Promise<RedisProxy> {
  const { hostname: host, port } = new URL(url);
  let connections = 0;
  const proxy = await startTcpProxy({ host, port: Number(port) }, (connection) => {
    connections++;
    return {
      fromClient: (bytes) => connection.toServer(bytes),
      fromServer: (bytes) => connection.toClient(bytes),
    };
  });
  return {
    ...proxy,
    url: `redis://127.0.0.1:${proxy.port}`,
    leadTo: (redis) => proxy.leadTo(Number(new URL(redis.url).port)),
    connections: () => connections,
  };
}
