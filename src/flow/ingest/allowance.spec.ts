import { describe, expect, test } from '@jest/globals';
import { Allowance } from './allowance.js';

describe('an allowance', () => {
  function setUp(max: number, perMs: number) {
    const clock = { nowMs: 5_000 };
    const allowance = new Allowance({ max, perMs }, () => clock.nowMs);
    /** How many of so many attempts are allowed at this instant. */
    const allowed = (attempts: number): number =>
      Array.from({ length: attempts }, () => allowance.take()).filter((waitMs) => waitMs === 0).length;
    return { clock, allowance, allowed };
  }

  test.each([
    [1, 1_000],
    [3, 1_000],
    [7, 100],
    [50, 1_000],
    [1_000, 60_000],
  ])('lets exactly %i through at one instant, and as many again %i ms later', (max, perMs) => {
    const { clock, allowed } = setUp(max, perMs);
    expect(allowed(max + 5)).toBe(max);
    clock.nowMs += perMs;
    expect(allowed(max + 5)).toBe(max);
    clock.nowMs += 10 * perMs;
    expect(allowed(max + 5)).toBe(max);
  });

  test('comes back evenly', () => {
    const { clock, allowed } = setUp(4, 1_000);
    allowed(4);
    clock.nowMs += 249;
    expect(allowed(1)).toBe(0);
    clock.nowMs += 1;
    expect(allowed(2)).toBe(1);
    clock.nowMs += 500;
    expect(allowed(3)).toBe(2);
  });

  test('says how long to wait, and keeps its word', () => {
    const { clock, allowance, allowed } = setUp(4, 1_000);
    allowed(4);
    clock.nowMs += 100;
    const waitMs = allowance.take();
    expect(waitMs).toBeCloseTo(150);
    clock.nowMs += Math.ceil(waitMs);
    expect(allowance.take()).toBe(0);
  });

  test('is not used up by what it refuses', () => {
    const { clock, allowed } = setUp(2, 1_000);
    allowed(1_000);
    clock.nowMs += 500;
    expect(allowed(1_000)).toBe(1);
  });

  test('is in debt after more than it allows, until that is paid off', () => {
    const { clock, allowance, allowed } = setUp(10, 1_000);
    allowance.charge(30);
    expect(allowance.take()).toBeCloseTo(2_100);
    clock.nowMs += 2_000;
    expect(allowed(1)).toBe(0);
    clock.nowMs += 1_000;
    expect(allowed(20)).toBe(10);
  });
});
