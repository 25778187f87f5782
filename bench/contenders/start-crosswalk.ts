import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freeLoopbackPort } from '../../src/platform/database/free-loopback-port.js';
import type { ChildProcesses } from '../child-processes.js';
import type { Contender } from './contender.js';
import { waitUntilReady } from './wait-until-ready.js';

export interface CrosswalkSetting {
  readonly databaseUrl: string;
  readonly dataFolder: string;
  /** `api` receives and remembers only; `all` also processes, in the same process. */
  readonly role: 'api' | 'all';
  /** Absent: no Redis, as in every comparison with others. */
  readonly redisUrl?: string;
}

/** Seen from the compiled file, in dist/bench/contenders. */
const CONTRACT = new URL('../../../bench/bench.crosswalk.yaml', import.meta.url);

/** Starts Crosswalk on an empty database, with nothing else configured: no Kafka, and no Redis unless one is given. */
export async function startCrosswalk(children: ChildProcesses, setting: CrosswalkSetting): Promise<Contender> {
  const port = String(await freeLoopbackPort());
  const apiKey = randomBytes(24).toString('base64url');
  const program = children.start({
    name: `Crosswalk (ROLE=${setting.role})`,
    file: new URL('../../service/main.js', import.meta.url),
    env: {
      PORT: port,
      DATABASE_URL: setting.databaseUrl,
      CROSSWALK_CONFIG: fileURLToPath(CONTRACT),
      CROSSWALK_DATA: setting.dataFolder,
      ROLE: setting.role,
      LOG_LEVEL: 'warn',
      ...(setting.redisUrl === undefined ? {} : { REDIS_URL: setting.redisUrl }),
      BENCH_API_KEY: apiKey,
      BENCH_ACCESS_KEY: randomBytes(24).toString('base64url'),
    },
  });
  await waitUntilReady(program, `http://127.0.0.1:${port}/health/ready`);
  return {
    name: `Crosswalk (ROLE=${setting.role})`,
    eventsUrl: `http://127.0.0.1:${port}/v1/events`,
    headers: { 'x-api-key': apiKey },
    databaseUrl: setting.databaseUrl,
    lastWords: () => program.lastWords(),
    end: () => program.end(),
  };
}
