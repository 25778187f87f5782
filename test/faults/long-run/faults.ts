import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { FaultRule } from '../../../examples/fault-rule.js';
import { eventually } from '../../support/eventually.js';
import { oneOf, shuffled } from './shuffle.js';
import type { Random } from './shuffle.js';
import type { Site } from './site.js';

/** Something that goes wrong for a while; when it resolves, everything that it broke is whole again. */
export type LongRunFault = (site: Site, random: Random) => Promise<void>;

/** Longer than a lease. */
const FROZEN_WORKER_MS = 4_000;
const FROZEN_API_MS = 1_500;
const AWAY_MS = 1_500;
const SLOW_MS = 2_000;
const LOST_ANSWERS = 5;

export const FAULTS: Readonly<Record<string, LongRunFault>> = {
  'a worker is killed': (site, random) => site.killAndRestart(oneOf(site.of('worker'), random)),
  'an API process is killed': (site, random) => site.killAndRestart(oneOf(site.of('api'), random)),
  'a worker is frozen past its lease': (site, random) => freeze(site, 'worker', random),
  'an API process is frozen': (site, random) => freeze(site, 'api', random),
  'Redis is emptied': (site) => onRedis(site, (redis) => redis.flushall()),
  'Redis is away': async ({ redisServers: [redis] }) => {
    await redis.stop();
    await delay(AWAY_MS);
    await redis.start();
  },
  'Redis is slow': async ({ redis }) => {
    redis.delayAnswers(200);
    await delay(SLOW_MS);
    redis.delayAnswers(0);
  },
  'Redis evicts': (site) => onRedis(site, evict),
  'Redis fails over to an empty replica, and back': async ({ redis, redisServers: [first, replica] }) => {
    redis.leadTo(replica);
    await delay(AWAY_MS);
    redis.leadTo(first);
  },
  'PostgreSQL restarts immediately': ({ postgres }) => postgres.restartImmediately(),
  'every connection to PostgreSQL breaks': async ({ database }) => database.breakConnections(),
  'PostgreSQL is away': async ({ database }) => {
    await database.cut();
    await delay(AWAY_MS);
    await database.restore();
  },
  'PostgreSQL is held up': async ({ database }) => {
    database.hold();
    await delay(AWAY_MS);
    database.letGo();
  },
  'answers to commits are lost': loseAnswers,
  'a target is not there': (site, random) => atTarget(site, random, { kind: 'status', status: 503 }),
  'a target fails': (site, random) => atTarget(site, random, { kind: 'status', status: 500 }),
  'a target does not answer': (site, random) => atTarget(site, random, { kind: 'timeout_before_applying' }),
  'a target applies and does not answer': (site, random) => atTarget(site, random, { kind: 'timeout_after_applying' }),
  'a target applies and breaks the connection': (site, random) =>
    atTarget(site, random, { kind: 'reset_after_applying' }),
  'a target applies and answers with garbage': (site, random) => atTarget(site, random, { kind: 'garbage' }),
  'a target asks for fewer calls': (site, random) => atTarget(site, random, { kind: 'throttle', for_ms: 1_000 }),
  'a target is slow': (site, random) => atTarget(site, random, { kind: 'delay', ms: 500 }),
};

/** Which fault strikes before which sending: every fault as often as the others, spread over the run. */
export function scheduleFaults(sendings: number, rounds: number, random: Random): { at: number; name: string }[] {
  const names = Array.from({ length: rounds }, () => shuffled(Object.keys(FAULTS), random)).flat();
  const between = sendings / (names.length + 1);
  return names.map((name, index) => ({ at: Math.floor(between * (index + 1)), name }));
}

async function freeze(site: Site, role: 'api' | 'worker', random: Random): Promise<void> {
  const { service } = oneOf(site.of(role), random);
  await service.kill('SIGSTOP');
  await delay(role === 'worker' ? FROZEN_WORKER_MS : FROZEN_API_MS);
  await service.kill('SIGCONT');
}

async function onRedis({ redisServers: [redis] }: Site, act: (redis: Redis) => Promise<unknown>): Promise<void> {
  const client = new Redis(redis.url);
  try {
    await act(client);
  } finally {
    client.disconnect();
  }
}

/** Whoever runs it gave Redis too little memory and a policy that drops keys. */
async function evict(redis: Redis): Promise<void> {
  const evicted = async (): Promise<number> => Number(/evicted_keys:(\d+)/.exec(await redis.info('stats'))?.[1] ?? 0);
  await redis.mset(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`ballast:${at}`, 'x'.repeat(10_000)])));
  const before = await evicted();
  const used = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  await redis.config('SET', 'maxmemory-policy', 'allkeys-random');
  await redis.config('SET', 'maxmemory', Math.floor(used * 0.8));
  await eventually(
    async () => {
      await redis.set('ballast:next', 'x');
      if ((await evicted()) === before) throw new Error('Nothing was evicted.');
    },
    { deadlineMs: 10_000 },
  );
  await redis.config('SET', 'maxmemory', 0);
  await redis.config('SET', 'maxmemory-policy', 'noeviction');
}

/** Group commits at the door, effects and records of deliveries alike. */
async function loseAnswers({ database }: Site): Promise<void> {
  for (const text of ['INSERT INTO idempotency_keys', ...Array.from({ length: LOST_ANSWERS - 1 }, () => 'COMMIT')]) {
    database.loseAnswerTo(text);
    await delay(SLOW_MS / LOST_ANSWERS);
  }
}

/** A number of calls to one target, more or less all of them in turn. */
async function atTarget({ crosswalk }: Site, random: Random, fault: FaultRule): Promise<void> {
  const target = oneOf([crosswalk.erp, crosswalk.wms], random);
  await target.scriptFaults([{ ...fault, times: fault.kind === 'throttle' ? 1 : 8 }]);
  await delay(SLOW_MS);
  await target.scriptFaults([]);
}
