import { expect, jest, test } from '@jest/globals';
import { periodically } from './periodically.js';

/** A clock that stands still until it is told to go on. */
async function withFakeClock(story: (pass: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
  try {
    await story((ms) => jest.advanceTimersByTimeAsync(ms).then(() => undefined));
  } finally {
    jest.useRealTimers();
  }
}

test('the task runs a period after the start, and a period after the end of each run', () =>
  withFakeClock(async (pass) => {
    let runs = 0;
    const stop = periodically(
      100,
      async () => {
        runs++;
      },
      () => undefined,
    );
    await pass(99);
    expect(runs).toBe(0);
    await pass(1);
    expect(runs).toBe(1);
    await pass(300);
    expect(runs).toBe(4);
    await stop();
  }));

test('runs never overlap, however long one takes', () =>
  withFakeClock(async (pass) => {
    let running = 0;
    let ended: () => void = () => undefined;
    const task = (): Promise<void> => {
      running++;
      return new Promise<void>((resolve) => (ended = resolve)).then(() => {
        running--;
      });
    };
    const stop = periodically(100, task, () => undefined);
    await pass(1_000);
    expect(running).toBe(1);
    ended();
    await pass(99);
    expect(running).toBe(0);
    await pass(1);
    expect(running).toBe(1);
    ended();
    await stop();
  }));

test('a run that fails is reported, and the next one comes all the same', () =>
  withFakeClock(async (pass) => {
    const reported: unknown[] = [];
    let runs = 0;
    const away = new Error('The database is away.');
    const stop = periodically(
      100,
      () => (++runs < 3 ? Promise.reject(away) : Promise.resolve()),
      (error) => reported.push(error),
    );
    await pass(500);
    expect(reported).toEqual([away, away]);
    expect(runs).toBe(5);
    await stop();
  }));

test('a task that throws before its first wait counts as a run that failed', () =>
  withFakeClock(async (pass) => {
    const reported: unknown[] = [];
    const stop = periodically(
      100,
      () => {
        throw new Error('at once');
      },
      (error) => reported.push(error),
    );
    await pass(200);
    expect(reported).toHaveLength(2);
    await stop();
  }));

test('the end waits for the run that is under way and lets no further one begin', () =>
  withFakeClock(async (pass) => {
    let ended: () => void = () => undefined;
    let runs = 0;
    const task = (): Promise<void> => {
      runs++;
      return new Promise((resolve) => (ended = resolve));
    };
    const stop = periodically(100, task, () => undefined);
    await pass(100);
    let isStopped = false;
    const stopping = stop().then(() => (isStopped = true));
    await pass(1_000);
    expect(isStopped).toBe(false);
    ended();
    await stopping;
    await pass(1_000);
    expect(runs).toBe(1);
  }));

test('what was ended before its first run never runs', () =>
  withFakeClock(async (pass) => {
    let runs = 0;
    await periodically(
      100,
      async () => {
        runs++;
      },
      () => undefined,
    )();
    await pass(1_000);
    expect(runs).toBe(0);
  }));
