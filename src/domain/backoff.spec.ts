import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomFrom } from '../../test/support/random-from.js';
import { backoffDelayMs } from './backoff.js';

const policy = { maxRetry: 5, backoffBaseSeconds: 1, backoffJitterMs: 1000, capSeconds: 300 };
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the delay before a retry', () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [9, 256_000],
    [10, 300_000],
    [11, 300_000],
    [45, 300_000],
    [64, 300_000],
    [1_024, 300_000],
    [10_000, 300_000],
    [Number.MAX_SAFE_INTEGER, 300_000],
    // Whoever counts from 0 waits for the base all the same.
    [0, 1_000],
  ])('%d doubles from the base up to the cap', (retry, delayMs) => {
    expect(backoffDelayMs(retry, policy, 0)).toBe(delayMs);
  });

  test('lies between the base and the cap with the jitter on top, for every policy', () => {
    const anyPolicy = fc.record({
      maxRetry: fc.constant(5),
      backoffBaseSeconds: fc.integer({ min: 1, max: 60 }),
      backoffJitterMs: fc.integer({ min: 0, max: 600_000 }),
      capSeconds: fc.integer({ min: 60, max: 86_400 }),
    });
    fc.assert(
      fc.property(anyPolicy, fc.integer({ min: 1, max: 10_000 }), fraction, (any, retry, random) => {
        const delayMs = backoffDelayMs(retry, any, random);
        expect(Number.isSafeInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(any.backoffBaseSeconds * 1000);
        expect(delayMs).toBeLessThanOrEqual(any.capSeconds * 1000 + any.backoffJitterMs);
        // A timer takes 31 bits; beyond them it would fire at once.
        expect(delayMs).toBeLessThan(2 ** 31);
      }),
    );
  });

  test('never shrinks from one retry to the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fraction, (retry, random) => {
        const [now, next] = [backoffDelayMs(retry, policy, random), backoffDelayMs(retry + 1, policy, random)];
        expect(next).toBeGreaterThanOrEqual(now);
      }),
    );
  });

  test.each([1, 3, 12])('spreads 200 failures of one moment over the whole jitter, after failure %d', (retry) => {
    const delays = Array.from({ length: 200 }, (_, at) => backoffDelayMs(retry, policy, at / 200));
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(policy.backoffJitterMs * 0.9);
    expect(new Set(delays).size).toBe(200);
  });

  describe('C39', () => {
    // The base and the cap of the case. It names no jitter: the window in which jobs come back is what the jitter makes.
    const case39 = { maxRetry: 50, backoffBaseSeconds: 1, backoffJitterMs: 1_000, capSeconds: 300 };
    const baseMs = 1_000;
    const capMs = 300_000;

    test.each([0, 1_000, 150_000])(
      '45 failures in a row: no gap below the base or above the cap (jitter %d)',
      (jitter) => {
        const policy39 = { ...case39, backoffJitterMs: jitter };
        const draw = randomFrom(39);
        let nowMs = 0;
        for (let failure = 1; failure <= 45; failure++) {
          const dueMs = nowMs + backoffDelayMs(failure, policy39, draw(1_000_000) / 1_000_000);
          expect(dueMs - nowMs).toBeGreaterThanOrEqual(baseMs);
          expect(dueMs - nowMs).toBeLessThanOrEqual(capMs + jitter);
          nowMs = dueMs;
        }
      },
    );

    function spreadMs(failures: number, jitter: number): number {
      const draw = randomFrom(failures);
      const due = Array.from({ length: 200 }, () =>
        backoffDelayMs(failures, { ...case39, backoffJitterMs: jitter }, draw(1_000_000) / 1_000_000),
      );
      return Math.max(...due) - Math.min(...due);
    }

    test.each([1, 3, 12])(
      '200 jobs that fail at one instant fill the window of the jitter, after failure %d',
      (failures) => {
        expect(spreadMs(failures, case39.backoffJitterMs)).toBeGreaterThan(case39.backoffJitterMs / 3);
      },
    );

    test.each([1, 3, 12])(
      'with a jitter of half the cap also a third of the whole delay, after failure %d',
      (failures) => {
        const delayMs = backoffDelayMs(failures, case39, 0);
        expect(spreadMs(failures, capMs / 2)).toBeGreaterThan(delayMs / 3);
      },
    );

    test('at a cap of an hour the default jitter puts 200 jobs into one second, and no more than that', () => {
      const draw = randomFrom(1);
      const due = Array.from({ length: 200 }, () =>
        backoffDelayMs(20, { ...case39, capSeconds: 3_600 }, draw(1_000_000) / 1_000_000),
      );
      expect(Math.min(...due)).toBeGreaterThanOrEqual(3_600_000);
      expect(Math.max(...due)).toBeLessThanOrEqual(3_601_000);
    });
  });

  test('is never without a number, not even where the base is nothing', () => {
    expect(backoffDelayMs(10_000, { ...policy, backoffBaseSeconds: 0 }, 0)).toBe(0);
  });

  test('is the base alone without jitter, also where the base is above the cap', () => {
    const steady = { ...policy, backoffJitterMs: 0 };
    expect(backoffDelayMs(1, steady, 0.999)).toBe(1_000);
    expect(backoffDelayMs(1, { ...steady, backoffBaseSeconds: 600 }, 0)).toBe(300_000);
  });
});
