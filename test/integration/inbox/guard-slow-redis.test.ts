import { expect, test } from '@jest/globals';
import { Log } from '../../../src/platform/logging/logger.js';
import { RedisLink } from '../../../src/platform/redis/redis-link.js';
import { eventually } from '../../support/eventually.js';
import { startRedisProxy } from '../../support/redis-proxy.js';
import { startRedis } from '../../support/redis-server.js';
import { suiteResources } from '../../support/suite-resources.js';

const ANSWER_WITHIN_MS = 25;
/** Slow for a request, and fast enough for everything that a new connection is examined for. */
const SLOW_MS = 200;

const closeLater = suiteResources();

test('a Redis that is slower than a request may wait is asked once, and then by new connections alone', async () => {
  const server = await startRedis();
  closeLater(async () => server.stop());
  const proxy = await startRedisProxy(server);
  closeLater(async () => proxy.close());
  let examined = 0;
  const examine = async (): Promise<void> => {
    examined++;
    return Promise.resolve();
  };
  const settings = { url: proxy.url, examine, answerWithinMs: ANSWER_WITHIN_MS, usedFor: 'a test' };
  const link = new RedisLink(settings, new Log('silent'));
  closeLater(async () => Promise.resolve(link.stop()));
  let asked = 0;
  const ask = async (): Promise<unknown> =>
    link
      .run(async (redis) => {
        asked++;
        return redis.get('key');
      }, ANSWER_WITHIN_MS)
      .catch(() => undefined);

  link.start();
  await eventually(() => expect(link.isClosed).toBe(true));
  proxy.delayAnswers(SLOW_MS);
  await ask();
  expect({ asked, isClosed: link.isClosed }).toEqual({ asked: 1, isClosed: false });

  // Two more connections pass their examination, and the third was begun after both were given up.
  await eventually(
    async () => {
      await ask();
      expect(examined).toBeGreaterThanOrEqual(3);
      expect(proxy.connections()).toBeGreaterThanOrEqual(4);
    },
    { deadlineMs: 20_000 },
  );
  expect(asked).toBe(1);

  proxy.delayAnswers(0);
  await eventually(() => expect(link.isClosed).toBe(true), { deadlineMs: 20_000 });
});
