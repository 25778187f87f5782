import { Redis } from 'ioredis';
import type { Log } from '../logging/logger.js';

const CONNECT_TIMEOUT_MS = 3_000;
const MAJOR_VERSION_MIN = 7;

/**
 * Looks at the Redis that is configured. One that evicts keys would silently drop alarms, so that is refused; one that
 * does not answer is only reported, because nothing is lost without it.
 *
 * @throws Error that says what to change
 */
export async function checkRedis(redisUrl: string, log: Log): Promise<void> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  redis.on('error', () => undefined);
  let info: string;
  try {
    await redis.connect();
    info = await redis.info();
  } catch (error) {
    log.trouble('Redis does not answer; alarms are set when it is back, and the sweep works meanwhile', {}, error);
    return;
  } finally {
    redis.disconnect();
  }
  const version = field(info, 'redis_version') ?? '0';
  if (Number.parseInt(version, 10) < MAJOR_VERSION_MIN) {
    throw new Error(`REDIS_URL leads to Redis ${version}; version ${String(MAJOR_VERSION_MIN)} or newer is needed.`);
  }
  const policy = field(info, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction') {
    throw new Error(
      `The Redis at REDIS_URL evicts keys (maxmemory-policy is ${policy}); set it to noeviction, or alarms get lost.`,
    );
  }
}

function field(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim();
}
