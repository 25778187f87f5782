import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that nobody listens on: the preferred one if it is free, otherwise one of the system's
 * choice. Somebody else can take it before it is used, so whoever uses it must be ready to ask again.
 */
export async function freeLoopbackPort(preferredPort = 0): Promise<number> {
  const port = await tryToListen(preferredPort);
  return port ?? (await tryToListen(0)) ?? Promise.reject(new Error('The system has no free TCP port on 127.0.0.1.'));
}

async function tryToListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address() as AddressInfo;
      server.close(() => resolve(address.port));
    });
  });
}
