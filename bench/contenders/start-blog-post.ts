import { freeLoopbackPort } from '../../src/platform/database/free-loopback-port.js';
import type { ChildProcesses } from '../child-processes.js';
import type { Contender } from './contender.js';
import { waitUntilReady } from './wait-until-ready.js';

/** Starts the blog-post way on an empty database. */
export async function startBlogPost(children: ChildProcesses, databaseUrl: string): Promise<Contender> {
  const port = String(await freeLoopbackPort());
  const program = children.start({
    name: 'The blog-post way',
    file: new URL('../peers/blog-post/main.js', import.meta.url),
    env: { PORT: port, DATABASE_URL: databaseUrl },
  });
  await waitUntilReady(program, `http://127.0.0.1:${port}/health`);
  return {
    name: 'the blog-post way',
    eventsUrl: `http://127.0.0.1:${port}/events`,
    headers: { 'x-source': 'crm' },
    databaseUrl,
    lastWords: () => program.lastWords(),
    end: () => program.end(),
  };
}
