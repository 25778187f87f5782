import { afterAll } from '@jest/globals';

/**
 * What the calling suite has opened, closed in the reverse order when it is done, also when its set-up failed half-way.
 * Call it while the suite is being described.
 */
export function suiteResources(): (close: () => Promise<unknown>) => void {
  const closes: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (let close = closes.pop(); close !== undefined; close = closes.pop()) await close();
  });
  return (close) => closes.push(close);
}
